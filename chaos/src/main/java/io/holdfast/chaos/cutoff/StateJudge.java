package io.holdfast.chaos.cutoff;

import io.holdfast.chaos.history.History.Held;
import io.holdfast.chaos.history.History.Lost;
import io.holdfast.chaos.history.History.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Whether what one session believed through an outage is what R1.2, R3.3 and R3.4 allow, at the default lease and grace.
 *
 * <p>The last confirmed KeepAlive was sent at most a third of the lease, and the second for which the next may have waited at its
 * front end (ADR 0020), before the outage, so the local lease ends from 6.9 to 11.9 s after its beginning, and the cell's own from 7
 * to 12 s; the grace period is 45 s from the end of the local lease.
 *
 * <p><b>Thread:</b> any.
 */
final class StateJudge {
    private static final double LEASE = 12;
    private static final double RHO = 0.01;
    private static final double GRACE = 45;
    /** How long a KeepAlive may wait for those of others. */
    private static final double PATIENCE = 1;

    private static final double CADENCE = LEASE / 3 + PATIENCE;
    /** For a busy machine: sending, telling, noticing. */
    private static final double SLACK = 1.0;

    private static final double EARLIEST_JEOPARDY = LEASE * (1 - RHO) - CADENCE - SLACK;
    private static final double LATEST_JEOPARDY = LEASE * (1 - RHO) + SLACK;
    /** After an outage of this length the cell has certainly ended the session of a client that was cut off. */
    private static final double ENDED_BY_CELL = LEASE + SLACK / 2;

    private static final double EARLIEST_LOCAL_END = EARLIEST_JEOPARDY + GRACE;
    private static final double LATEST_LOCAL_END = LATEST_JEOPARDY + GRACE;

    private final Outage outage;
    private final List<String> wrong = new ArrayList<>();

    /** What became of the session. */
    enum Fate {
        STAYED_SAFE,
        SAFE_AGAIN,
        EXPIRED_AFTER,
        EXPIRED_WITHIN,
        IN_DOUBT
    }

    /**
     * @param wrong empty if all is as it must be
     */
    record Judgement(Fate fate, List<String> wrong) {}

    private StateJudge(Outage outage) {
        this.outage = outage;
    }

    /**
     * @param states of one session, in order, from its beginning
     * @param held samples in which it believed in its hold, in order
     * @param lost what was told of the loss of its hold
     */
    static Judgement judge(Outage outage, List<State> states, List<Held> held, List<Lost> lost) {
        return new StateJudge(outage).judge(states, held, lost);
    }

    private Judgement judge(List<State> states, List<Held> held, List<Lost> lost) {
        List<State> since = states.stream()
                .filter(state ->
                        state.nanos() >= outage.beginNanos() && !state.state().equals("CLOSED"))
                .toList();
        Optional<State> jeopardy = first(since, "JEOPARDY");
        Optional<State> expired = first(since, "EXPIRED");
        Optional<State> safeAgain = first(since, "SAFE");
        Fate fate = fate(jeopardy, expired, safeAgain);
        require(isOrdered(since), "its states were told as " + words(since));
        jeopardy.ifPresent(state -> requireWithin(state, EARLIEST_JEOPARDY, LATEST_JEOPARDY));
        requireFate(fate);
        expired.ifPresent(state -> requireEnd(fate, jeopardy, state, lost));
        requireBelief(fate, jeopardy, safeAgain, held);
        require(expired.isPresent() || lost.isEmpty(), "its hold was lost without its session: " + lost);
        return new Judgement(fate, wrong);
    }

    private Fate fate(Optional<State> jeopardy, Optional<State> expired, Optional<State> safeAgain) {
        if (expired.isPresent()) {
            return expired.get().nanos() < outage.endNanos() ? Fate.EXPIRED_WITHIN : Fate.EXPIRED_AFTER;
        }
        if (jeopardy.isEmpty()) {
            return Fate.STAYED_SAFE;
        }
        return safeAgain.isPresent() ? Fate.SAFE_AGAIN : Fate.IN_DOUBT;
    }

    /** Each state follows from the one before, told once. */
    private static boolean isOrdered(List<State> states) {
        String before = "SAFE";
        for (State state : states) {
            boolean follows = switch (state.state()) {
                case "JEOPARDY" -> before.equals("SAFE");
                case "SAFE" -> before.equals("JEOPARDY");
                case "EXPIRED" -> before.equals("SAFE") || before.equals("JEOPARDY");
                default -> false;
            };
            if (!follows) {
                return false;
            }
            before = state.state();
        }
        return true;
    }

    private void requireFate(Fate fate) {
        double length = outage.length().toMillis() / 1e3;
        boolean right = switch (fate) {
            case STAYED_SAFE -> length < LATEST_JEOPARDY;
            case SAFE_AGAIN ->
                length > EARLIEST_JEOPARDY && (outage.cellStops() ? length < LATEST_LOCAL_END : length < ENDED_BY_CELL);
            case EXPIRED_AFTER -> !outage.cellStops() && length > LEASE - CADENCE - SLACK && length < LATEST_LOCAL_END;
            case EXPIRED_WITHIN -> length > EARLIEST_LOCAL_END;
            case IN_DOUBT -> false;
        };
        require(right, "it was " + fate);
    }

    private void requireEnd(Fate fate, Optional<State> jeopardy, State expired, List<Lost> lost) {
        require(jeopardy.isPresent(), "it expired without having been in jeopardy");
        require(!expired.reason().isEmpty(), "it expired without a reason");
        require(lost.size() == 1, "its hold's loss was told " + lost.size() + " times");
        if (fate == Fate.EXPIRED_WITHIN) {
            requireWithin(expired, EARLIEST_LOCAL_END, LATEST_LOCAL_END);
            require(expired.reason().contains("grace"), "it ended by itself, and the reason was: " + expired.reason());
        }
    }

    /** It believes in its hold as long as it is safe, and only then. */
    private void requireBelief(Fate fate, Optional<State> jeopardy, Optional<State> safeAgain, List<Held> held) {
        for (Held sample : held) {
            boolean afterJeopardy = jeopardy.isPresent()
                    && sample.beforeNanos() > jeopardy.get().nanos();
            boolean beforeSafe =
                    safeAgain.isEmpty() || sample.afterNanos() < safeAgain.get().nanos() - slackNanos();
            if (afterJeopardy && beforeSafe) {
                require(
                        false,
                        String.format(
                                "%.1f s after the beginning it believed in its hold, in jeopardy",
                                seconds(sample.beforeNanos())));
                return;
            }
        }
        if (fate == Fate.STAYED_SAFE || fate == Fate.SAFE_AGAIN) {
            boolean again = held.stream().anyMatch(sample -> sample.beforeNanos() > outage.endNanos());
            require(again, "it did not believe in its hold afterwards");
            require(held.stream().map(Held::token).distinct().count() == 1, "its token changed");
        }
    }

    private static long slackNanos() {
        return (long) (SLACK * TimeUnit.SECONDS.toNanos(1));
    }

    private double seconds(long nanos) {
        return (nanos - outage.beginNanos()) / 1e9;
    }

    private void requireWithin(State state, double from, double until) {
        double at = seconds(state.nanos());
        require(
                at >= from && at <= until,
                String.format(
                        "it was %s after %.1f s, and must be between %.1f and %.1f s", state.state(), at, from, until));
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            wrong.add(outage + ": " + otherwise);
        }
    }

    private static Optional<State> first(List<State> states, String name) {
        return states.stream().filter(state -> state.state().equals(name)).findFirst();
    }

    private static List<String> words(List<State> states) {
        return states.stream().map(State::state).toList();
    }
}
