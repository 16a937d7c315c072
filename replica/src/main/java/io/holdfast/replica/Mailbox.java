package io.holdfast.replica;

import io.holdfast.replica.LoopInput.FromPeer;
import io.holdfast.replica.LoopInput.FromUpstream;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What waits for the next turn of a loop.
 *
 * <p><b>Thread:</b> any may offer; the loop gathers. <b>Invariants:</b> (1) at most {@link #MAX_WAITING} frames from
 * outside wait, and {@link #MAX_WAITING_BYTES} of them: further peer frames are dropped (consensus repeats them), and a front
 * end's link that meets the limit is cut as a whole, since a hole in its ordered stream must not be; (2) what the process
 * itself posts is never refused; (3) inputs come out in the order in which they went in.
 */
final class Mailbox {
    /** Most frames from outside that wait. */
    static final int MAX_WAITING = 100_000;
    /** Most bytes of frames from outside that wait: a whole pipeline of appends and what clients send meanwhile. */
    static final long MAX_WAITING_BYTES = 96L << 20;

    private static final int FRAME_OVERHEAD_BYTES = 128;

    private final Runnable wake;
    private final SortedSet<Long> overrunLinks = new TreeSet<>();
    private List<LoopInput> waiting = new ArrayList<>();
    /** Of the frames in {@code waiting}. */
    private long waitingBytes;

    /** @param wake runs after something was offered to an empty mailbox; any thread, must not block */
    Mailbox(Runnable wake) {
        this.wake = wake;
    }

    /** Adds an input; false if it was dropped. */
    boolean offer(LoopInput input) {
        long size = sizeOf(input);
        boolean first;
        synchronized (this) {
            if (isRefused(input, size)) {
                return false;
            }
            first = waiting.isEmpty();
            waiting.add(input);
            waitingBytes += size;
        }
        if (first) {
            wake.run();
        }
        return true;
    }

    /** About how many bytes a frame from outside holds; 0 for what the process itself posts. */
    private static long sizeOf(LoopInput input) {
        if (input instanceof FromPeer peer) {
            long size = FRAME_OVERHEAD_BYTES;
            if (peer.frame() instanceof PeerFrame.Messages messages) {
                for (CellMessage message : messages.messages()) {
                    size += PeerOutbox.sizeOf(message.message());
                }
            }
            return size;
        }
        if (input instanceof FromUpstream upstream) {
            return FRAME_OVERHEAD_BYTES + RequestChecks.payloadBytes(upstream.frame());
        }
        return 0;
    }

    private boolean isRefused(LoopInput input, long size) {
        boolean full = waiting.size() >= MAX_WAITING || waitingBytes + size > MAX_WAITING_BYTES;
        if (input instanceof FromPeer) {
            return full;
        }
        if (input instanceof FromUpstream upstream) {
            if (full) {
                overrunLinks.add(upstream.link());
            }
            return overrunLinks.contains(upstream.link());
        }
        return false;
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty() && overrunLinks.isEmpty();
    }

    /** Takes everything. */
    synchronized List<LoopInput> takeAll() {
        List<LoopInput> taken = waiting;
        waiting = new ArrayList<>();
        waitingBytes = 0;
        return taken;
    }

    /** Links of front ends from which something was dropped; nothing of them is taken before {@link #linkCut}. */
    synchronized List<Long> overrunLinks() {
        return List.copyOf(overrunLinks);
    }

    /** The link is closed, so that nothing comes from it any more. */
    synchronized void linkCut(long link) {
        overrunLinks.remove(link);
    }
}
