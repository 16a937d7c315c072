package io.holdfast.chaos.check;

import io.holdfast.chaos.fault.Nemesis;
import io.holdfast.chaos.history.History;
import io.holdfast.chaos.history.History.Lost;
import io.holdfast.chaos.history.History.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A session whose client runs and reaches the cell lives, whatever happens to the replicas (N2, N6, C72, C74); and a hold is
 * lost only with its session.
 */
public final class SessionCheck {
    /** From the end of a fault until a client has learned that its session is over: another lease, and some time. */
    private static final long LEARN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final String EXPIRED = "EXPIRED";

    private SessionCheck() {}

    /** @param faults those that {@link Nemesis.Done#hitSessions} names are excused for a while */
    public static List<Finding> check(History history, List<Nemesis.Done> faults) {
        List<Finding> findings = new ArrayList<>();
        for (State state : history.states()) {
            if (state.state().equals(EXPIRED) && !isExcused(state, faults)) {
                findings.add(new Finding(
                        "N2",
                        state.client() + " lost its session '" + state.session() + "' at " + state.nanos()
                                + " although nothing kept it from the cell: " + state.reason()));
            }
        }
        for (Lost lost : history.lost()) {
            if (!lost.sessionState().equals(EXPIRED)
                    && history.states().stream().noneMatch(state -> isCause(state, lost))) {
                findings.add(new Finding(
                        "F2",
                        lost.client() + " lost " + lost.lock() + " (token " + lost.token() + ") at " + lost.nanos()
                                + " without losing its session: " + lost.reason()));
            }
        }
        return findings;
    }

    /** Sessions that ended although their client had done nothing wrong, by what was done to it. */
    public static long excused(History history, List<Nemesis.Done> faults) {
        return history.states().stream()
                .filter(state -> state.state().equals(EXPIRED) && isExcused(state, faults))
                .count();
    }

    private static boolean isCause(State state, Lost lost) {
        return state.client().equals(lost.client())
                && state.state().equals(EXPIRED)
                && Math.abs(state.nanos() - lost.nanos()) < TimeUnit.SECONDS.toNanos(5);
    }

    private static boolean isExcused(State state, List<Nemesis.Done> faults) {
        long halfLeaseNanos = TimeUnit.MILLISECONDS.toNanos(state.leaseMillis() / 2);
        return faults.stream()
                .anyMatch(fault -> isHit(fault, state)
                        && fault.endNanos() - fault.beginNanos() > halfLeaseNanos
                        && fault.beginNanos() < state.nanos()
                        && state.nanos() < fault.endNanos() + LEARN_NANOS);
    }

    private static boolean isHit(Nemesis.Done fault, State state) {
        return fault.hitSessions().contains(state.client() + "/*")
                || fault.hitSessions().contains(state.client() + "/" + state.session());
    }
}
