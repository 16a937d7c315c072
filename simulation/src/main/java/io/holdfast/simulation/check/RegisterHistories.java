package io.holdfast.simulation.check;

import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The operations on every key, as their callers saw them; checked at the end of a run (N7, oracle O2). */
public final class RegisterHistories {
    /** Enough for any history without a violation that runs make; an undecided one is counted. */
    private static final int MAX_STEPS = 300_000;

    private final World world;
    private final Map<String, List<RegisterOp>> byKey = new TreeMap<>();
    private long undecided;

    public RegisterHistories(World world) {
        this.world = world;
    }

    /** Records an operation whose fate is settled, or will never be known. */
    public void record(String key, RegisterOp op) {
        byKey.computeIfAbsent(key, unseen -> new ArrayList<>()).add(op);
    }

    /** Histories that were too tangled to decide. */
    public long undecided() {
        return undecided;
    }

    public void check() {
        for (Map.Entry<String, List<RegisterOp>> history : byKey.entrySet()) {
            switch (new Linearizability(MAX_STEPS).check(history.getValue())) {
                case LINEARIZABLE -> world.coverage().seen(Seen.HISTORY_CHECKED);
                case UNDECIDED -> undecided++;
                case NOT_LINEARIZABLE ->
                    throw new Violation(
                            "linearizability",
                            "no order explains what callers saw of " + history.getKey() + ":\n  "
                                    + String.join("\n  ", lines(history.getValue())));
            }
        }
    }

    private static List<String> lines(List<RegisterOp> ops) {
        return ops.stream()
                .sorted(java.util.Comparator.comparingLong(RegisterOp::invokedNanos))
                .map(RegisterOp::toString)
                .toList();
    }
}
