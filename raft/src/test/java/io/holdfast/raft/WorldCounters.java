package io.holdfast.raft;

import java.util.TreeMap;

/** How often each thing happened, so that a test can show that it was reached. */
final class WorldCounters {
    private final TreeMap<String, Long> counts = new TreeMap<>();

    void add(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    void sent(RaftMessage message) {
        add(message.getClass().getSimpleName());
        if (message instanceof RaftMessage.AppendResponse response && !response.success()) {
            add("append rejected");
        }
        if (message instanceof RaftMessage.VoteRequest request && request.transfer()) {
            add("vote by transfer");
        }
    }

    void addAll(WorldCounters other) {
        other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
    }

    long of(String what) {
        return counts.getOrDefault(what, 0L);
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
