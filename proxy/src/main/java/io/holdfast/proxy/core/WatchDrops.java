package io.holdfast.proxy.core;

import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.List;

/**
 * Shared watches that nobody needs any more, on their way to the leader together.
 *
 * <p><b>Thread:</b> the front end's.
 */
final class WatchDrops {
    /** The way to the leader; at once and in order. */
    interface Leader {
        void send(UpstreamFrame frame);
    }

    private final Leader leader;
    private List<Long> numbers = new ArrayList<>();

    WatchDrops(Leader leader) {
        this.leader = leader;
    }

    void add(long number) {
        numbers.add(number);
    }

    /** Sends what was added, in frames of bounded size. */
    void flush() {
        List<Long> all = numbers;
        numbers = new ArrayList<>();
        for (int from = 0; from < all.size(); from += UpstreamFrame.DropWatches.MAX) {
            int to = Math.min(from + UpstreamFrame.DropWatches.MAX, all.size());
            leader.send(new UpstreamFrame.DropWatches(all.subList(from, to)));
        }
    }

    void clear() {
        numbers.clear();
    }
}
