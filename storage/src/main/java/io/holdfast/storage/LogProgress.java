package io.holdfast.storage;

/**
 * How a log's disk is doing at this moment, for metrics: a disk that hangs or is full finishes nothing, so what was finished
 * does not show it. <b>Thread:</b> any; returns at once.
 */
public interface LogProgress {
    /** How long the oldest request has waited that is not durable yet; 0 if none waits. */
    long oldestUnconfirmedNanos();

    /** Whether the last attempt to write found no room. */
    boolean isDiskFull();
}
