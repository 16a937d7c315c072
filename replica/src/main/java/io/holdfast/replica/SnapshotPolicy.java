package io.holdfast.replica;

/**
 * When a cell takes a snapshot of its state, and what it keeps of its log behind one.
 *
 * @param entries after this many applied entries (N8)
 * @param logBytes or after this many bytes of applied entries
 * @param trailingEntries at most this many entries before the snapshot stay, for peers that are a little behind; together
 *     they never take more than a quarter of {@code logBytes}
 * @param keepFiles snapshot files kept; more than one, so that a transfer of the last one can end
 * @param retryNanos pause after a snapshot that could not be written
 */
public record SnapshotPolicy(long entries, long logBytes, int trailingEntries, int keepFiles, long retryNanos) {
    public SnapshotPolicy {
        if (entries < 1 || logBytes < 1 || trailingEntries < 0 || keepFiles < 1 || retryNanos < 1) {
            throw new IllegalArgumentException("snapshot thresholds out of range");
        }
    }

    /** 100,000 entries or 24 MB, 5,000 entries kept, two files, 10 s between attempts. */
    public static SnapshotPolicy defaults() {
        return new SnapshotPolicy(100_000, 24L << 20, 5_000, 2, 10_000_000_000L);
    }

    /** The same with another number of entries. */
    public SnapshotPolicy withEntries(long newEntries) {
        return new SnapshotPolicy(
                newEntries, logBytes, (int) Math.min(trailingEntries, newEntries / 4), keepFiles, retryNanos);
    }
}
