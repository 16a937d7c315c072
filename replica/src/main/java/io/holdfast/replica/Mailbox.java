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
 * outside wait: further peer frames are dropped (consensus repeats them), and a front end's link that meets the limit is
 * cut as a whole, since a hole in its ordered stream must not be; (2) what the process itself posts is never refused; (3)
 * inputs come out in the order in which they went in.
 */
final class Mailbox {
    /** Most frames from outside that wait. */
    static final int MAX_WAITING = 100_000;

    private final Runnable wake;
    private final SortedSet<Long> overrunLinks = new TreeSet<>();
    private List<LoopInput> waiting = new ArrayList<>();

    /** @param wake runs after something was offered to an empty mailbox; any thread, must not block */
    Mailbox(Runnable wake) {
        this.wake = wake;
    }

    /** Adds an input; false if it was dropped. */
    boolean offer(LoopInput input) {
        boolean first;
        synchronized (this) {
            if (isRefused(input)) {
                return false;
            }
            first = waiting.isEmpty();
            waiting.add(input);
        }
        if (first) {
            wake.run();
        }
        return true;
    }

    private boolean isRefused(LoopInput input) {
        if (input instanceof FromPeer) {
            return waiting.size() >= MAX_WAITING;
        }
        if (input instanceof FromUpstream upstream) {
            if (waiting.size() >= MAX_WAITING) {
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
        return taken;
    }

    /** Links of front ends from which something was dropped since the last call. */
    synchronized List<Long> takeOverrunLinks() {
        List<Long> links = List.copyOf(overrunLinks);
        overrunLinks.clear();
        return links;
    }
}
