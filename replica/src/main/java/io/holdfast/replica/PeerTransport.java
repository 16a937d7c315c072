package io.holdfast.replica;

/**
 * Carries frames to peers. May drop, repeat and reorder; never blocks, never throws.
 *
 * <p>What arrives is posted to the loop as {@link LoopInput.FromPeer}; a connection that the other side closed as {@link
 * LoopInput.PeerClosed}.
 *
 * <p><b>Thread:</b> the loop calls.
 */
public interface PeerTransport {
    /** Sends to the peer with this configured name; drops the frame if there is no connection or too much waits. */
    void send(String peer, PeerFrame frame);
}
