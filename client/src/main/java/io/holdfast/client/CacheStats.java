package io.holdfast.client;

/**
 * How the present session's cache of values is used; a new session begins with zeros.
 *
 * @param hits reads that were answered from memory
 * @param misses reads that the cell was asked for, though they might have been cached
 * @param invalidations values that the cell told the client to let go of, since somebody was about to write them
 * @param entries values, or places without one, that it holds now
 * @param bytes about what they take
 */
public record CacheStats(long hits, long misses, long invalidations, long entries, long bytes) {}
