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
}
