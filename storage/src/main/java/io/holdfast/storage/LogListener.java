package io.holdfast.storage;

/** Told about the work of a {@link GroupCommitLog}, for metrics. Runs on the writer's thread and must not block. */
public interface LogListener {
    /** Listens to nothing. */
    LogListener NONE = (nanos, bytes, requests) -> {};

    /**
     * A batch is durable.
     *
     * @param nanos how long its write and fsync took
     * @param bytes how much was written
     * @param requests how many requests shared the fsync
     */
    void synced(long nanos, long bytes, int requests);
}
