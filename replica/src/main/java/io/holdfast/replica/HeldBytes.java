package io.holdfast.replica;

import io.holdfast.protocol.frame.ClientFrame;

/**
 * How many bytes of frames wait behind attaches, on all streams of one leader together (R8.4).
 *
 * <p><b>Thread:</b> the loop.
 */
final class HeldBytes {
    /** Most of them. */
    static final long MAX = 32L << 20;

    private static final int FRAME_OVERHEAD_BYTES = 128;

    private long bytes;

    /** Whether there is room for the frame; then it counts from now on. */
    boolean take(ClientFrame frame) {
        long size = sizeOf(frame);
        if (bytes + size > MAX) {
            return false;
        }
        bytes += size;
        return true;
    }

    /** The frame waits no longer. */
    void giveBack(ClientFrame frame) {
        bytes -= sizeOf(frame);
    }

    private static long sizeOf(ClientFrame frame) {
        return FRAME_OVERHEAD_BYTES + RequestChecks.payloadBytes(frame);
    }
}
