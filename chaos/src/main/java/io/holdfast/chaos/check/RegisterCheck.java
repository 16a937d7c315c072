package io.holdfast.chaos.check;

import io.holdfast.chaos.history.History;
import io.holdfast.simulation.check.Linearizability;
import io.holdfast.simulation.check.RegisterOp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Reads, writes and compare-and-sets of each value are linearizable (N7, oracle O2). */
public final class RegisterCheck {
    private static final int MAX_STEPS = 400_000;
    private static final int SHOWN = 200;

    /**
     * What came of it.
     *
     * @param undecided keys whose histories were too tangled
     */
    public record Result(List<Finding> findings, int keys, long operations, int undecided) {}

    private RegisterCheck() {}

    public static Result check(History history) {
        List<Finding> findings = new ArrayList<>();
        int undecided = 0;
        long operations = 0;
        for (var entry : history.registers().entrySet()) {
            operations += entry.getValue().size();
            switch (new Linearizability(MAX_STEPS).check(entry.getValue())) {
                case LINEARIZABLE -> {}
                case UNDECIDED -> undecided++;
                case NOT_LINEARIZABLE ->
                    findings.add(new Finding(
                            "N7",
                            "no order explains what clients saw of " + entry.getKey() + ":\n    "
                                    + lines(shortest(entry.getValue()))));
            }
        }
        return new Result(findings, history.registers().size(), operations, undecided);
    }

    /** A beginning of the history, in order of answers, that is already beyond explaining. */
    private static List<RegisterOp> shortest(List<RegisterOp> history) {
        List<RegisterOp> ordered = new ArrayList<>(history);
        ordered.sort(Comparator.comparingLong(RegisterOp::returnedNanos));
        int good = 0;
        int bad = ordered.size();
        while (bad - good > 1) {
            int middle = (good + bad) / 2;
            if (new Linearizability(MAX_STEPS).check(until(history, ordered, middle))
                    == Linearizability.Verdict.NOT_LINEARIZABLE) {
                bad = middle;
            } else {
                good = middle;
            }
        }
        return until(history, ordered, bad);
    }

    /** The first so many answers; what was called before the last of them and answered later counts as unknown. */
    private static List<RegisterOp> until(List<RegisterOp> history, List<RegisterOp> ordered, int count) {
        List<RegisterOp> some = new ArrayList<>(ordered.subList(0, count));
        long end = count == 0 ? Long.MIN_VALUE : ordered.get(count - 1).returnedNanos();
        for (RegisterOp later : ordered.subList(count, history.size())) {
            if (later.invokedNanos() <= end && later.kind() != RegisterOp.Kind.GET) {
                some.add(new RegisterOp(
                        later.kind(),
                        later.invokedNanos(),
                        RegisterOp.NEVER,
                        later.expectedVersion(),
                        later.value(),
                        later.result()));
            }
        }
        return some;
    }

    private static String lines(List<RegisterOp> ops) {
        List<RegisterOp> ordered = new ArrayList<>(ops);
        ordered.sort(Comparator.comparingLong(RegisterOp::invokedNanos));
        return ordered.subList(Math.max(0, ordered.size() - SHOWN), ordered.size()).stream()
                .map(RegisterOp::toString)
                .collect(Collectors.joining("\n    "));
    }
}
