package io.holdfast.simulation.world;

/** Counts how often each fault and each rule was really reached. */
public final class Coverage {
    private final long[] counts = new long[Seen.values().length];

    public void seen(Seen what) {
        counts[what.ordinal()]++;
    }

    public void seen(Seen what, long times) {
        counts[what.ordinal()] += times;
    }

    public long count(Seen what) {
        return counts[what.ordinal()];
    }

    /** Adds another run's counts to these. */
    public void add(Coverage other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
    }
}
