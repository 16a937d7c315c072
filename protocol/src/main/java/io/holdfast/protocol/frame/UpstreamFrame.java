package io.holdfast.protocol.frame;

/** From a front end to the leader, on one ordered link for all its clients. */
public sealed interface UpstreamFrame {
    /**
     * A client's frame.
     *
     * @param stream the front end's number for the client's stream; never used twice on one link
     */
    record Forward(long stream, ClientFrame frame) implements UpstreamFrame {}

    /** The client's stream is gone. Says nothing about its session. */
    record StreamClosed(long stream) implements UpstreamFrame {}

    /**
     * For another cell than the first of the deployment.
     *
     * @param frame not again one of these
     */
    record ToCell(String cell, UpstreamFrame frame) implements UpstreamFrame {
        public ToCell {
            if (cell.isEmpty() || frame instanceof ToCell) {
                throw new IllegalArgumentException("a frame is for one cell");
            }
        }
    }
}
