package io.holdfast.replica;

import io.holdfast.protocol.frame.UpstreamFrame;

/** What can arrive in the loop's mailbox from outside; the loop adds inputs of its own for durable writes and workers. */
public sealed interface LoopInput {
    record FromPeer(PeerFrame frame) implements LoopInput {}

    /** The connection from this peer was closed by its side. */
    record PeerClosed(String peer) implements LoopInput {}

    /** A front end said something.
     *
     * @param link number of the front end's link, never used twice in a process
     */
    record FromUpstream(long link, UpstreamFrame frame) implements LoopInput {}

    record UpstreamClosed(long link) implements LoopInput {}

    /** Something that a worker or the log store finished, to be handled on the loop. */
    record Internal(Runnable action) implements LoopInput {}
}
