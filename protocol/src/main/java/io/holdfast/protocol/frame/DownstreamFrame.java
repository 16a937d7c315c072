package io.holdfast.protocol.frame;

/** From the leader to a front end. */
public sealed interface DownstreamFrame {
    /** For the client on {@code stream}. */
    record Deliver(long stream, ServerFrame frame) implements DownstreamFrame {}

    /**
     * This replica does not lead (any more); the front end looks for another and interrupts its clients. Sent before the
     * link is closed.
     */
    record NotLeader(String reason) implements DownstreamFrame {}

    /**
     * From another cell than the first of the deployment. A {@link NotLeader} in it is about that cell alone: the link goes on
     * for the others.
     *
     * @param frame not again one of these
     */
    record FromCell(String cell, DownstreamFrame frame) implements DownstreamFrame {
        public FromCell {
            if (cell.isEmpty() || frame instanceof FromCell) {
                throw new IllegalArgumentException("a frame is from one cell");
            }
        }
    }
}
