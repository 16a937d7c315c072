package io.holdfast.client.session;

/**
 * How a session's cache is used.
 *
 * <p><b>Thread:</b> written by the session machine's thread, read by any; what is read of several at once need not fit together.
 */
public final class CacheCounts {
    private volatile long hits;
    private volatile long misses;
    private volatile long invalidations;
    private volatile long entries;
    private volatile long bytes;

    CacheCounts() {}

    void asked(boolean found) {
        long before = found ? hits : misses;
        if (found) {
            hits = before + 1;
        } else {
            misses = before + 1;
        }
    }

    void invalidated(int paths) {
        long before = invalidations;
        invalidations = before + paths;
    }

    void hold(long nowEntries, long nowBytes) {
        entries = nowEntries;
        bytes = nowBytes;
    }

    /** Reads that were answered from it. */
    public long hits() {
        return hits;
    }

    /** Reads that the cell was asked for. */
    public long misses() {
        return misses;
    }

    /** Paths that the cell told it to let go of. */
    public long invalidations() {
        return invalidations;
    }

    /** Values, or places without one, that it holds now. */
    public long entries() {
        return entries;
    }

    /** About what they take. */
    public long bytes() {
        return bytes;
    }
}
