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
}
