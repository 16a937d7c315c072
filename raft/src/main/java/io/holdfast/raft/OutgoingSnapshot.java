package io.holdfast.raft;

/**
 * Where a leader is in sending one snapshot to one peer.
 *
 * <p><b>Thread:</b> the core's. <b>Invariant:</b> one piece at a time is being read or is on its way.
 */
final class OutgoingSnapshot {
    /** What the transfer waits for. */
    enum Wait {
        /** The driver reads a piece. */
        READ,
        /** The peer answers. */
        ANSWER,
        /** Some time, after the snapshot could not be read. */
        PAUSE
    }

    private static final long END_UNKNOWN = Long.MAX_VALUE;

    private final SnapshotMeta meta;
    private long offset;
    /** Total size, once the last piece was read. */
    private long endOffset = END_UNKNOWN;

    private Wait wait;
    private long sinceNanos;

    OutgoingSnapshot(SnapshotMeta meta, Wait wait, long nowNanos) {
        this.meta = meta;
        this.wait = wait;
        this.sinceNanos = nowNanos;
    }

    SnapshotMeta meta() {
        return meta;
    }

    /** Position of the piece that is being read or is on its way. */
    long offset() {
        return offset;
    }

    Wait waitsFor() {
        return wait;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    void now(Wait what, long nowNanos) {
        wait = what;
        sinceNanos = nowNanos;
    }

    void sawPiece(int sizeBytes, boolean last) {
        if (last) {
            endOffset = offset + sizeBytes;
        }
    }

    /** Whether the peer has every byte and only has to install. */
    boolean isAllReceived(long nextOffset) {
        return nextOffset >= endOffset;
    }

    void moveTo(long nextOffset) {
        offset = nextOffset;
    }
}
