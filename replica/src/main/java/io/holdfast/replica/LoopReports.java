package io.holdfast.replica;

import io.holdfast.cell.CellStateMachine;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.RaftOutput.RoleChange;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.ReplicaStatus.CellView;
import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells others how far this replica is: the leaders of its cells once a second, and other threads after each turn.
 *
 * <p><b>Thread:</b> the loop; {@link #status} any.
 */
final class LoopReports {
    private static final long REPORT_NANOS = 1_000_000_000L;

    private final LoopShared shared;
    private long nextReportNanos = Long.MIN_VALUE;
    private volatile ReplicaStatus status = new ReplicaStatus(false, false, List.of());

    LoopReports(LoopShared shared) {
        this.shared = shared;
    }

    ReplicaStatus status() {
        return status;
    }

    long nextDeadlineNanos() {
        return nextReportNanos;
    }

    /** One frame per leader, for all cells that it leads. */
    void tellLeaders(Collection<CellDriver> drivers) {
        if (shared.now() < nextReportNanos) {
            return;
        }
        nextReportNanos = shared.now() + REPORT_NANOS;
        ReplicaId self = shared.settings().self();
        Map<ReplicaId, List<CellReport>> reports = new TreeMap<>();
        for (CellDriver driver : drivers) {
            ReplicaId leader = driver.role().leader();
            if (leader != null && !leader.equals(self)) {
                reports.computeIfAbsent(leader, id -> new ArrayList<>()).add(report(driver));
            }
        }
        reports.forEach(this::send);
        if (shared.refusesLeads()) {
            tellOthers(drivers, reports.keySet());
        }
    }

    /** That this replica wants no lead is news for every member. */
    void tellAll(Collection<CellDriver> drivers) {
        tellOthers(drivers, Set.of());
    }

    private void tellOthers(Collection<CellDriver> drivers, Set<ReplicaId> told) {
        SortedSet<ReplicaId> members = new TreeSet<>();
        drivers.forEach(driver -> members.addAll(driver.members()));
        members.remove(shared.settings().self());
        members.removeAll(told);
        members.forEach(member -> send(member, List.of()));
    }

    private void send(ReplicaId to, List<CellReport> cells) {
        PeerFrame status = new PeerFrame.Status(shared.settings().self(), to, cells, shared.refusesLeads());
        shared.seams().peers().send(to.name(), status);
    }

    private CellReport report(CellDriver driver) {
        boolean voter =
                driver.core().status().membership().isVoter(shared.settings().self());
        long appliedIndex = driver.machine().appliedIndex();
        return new CellReport(driver.id(), appliedIndex, digest(driver.machine()), voter ? "follower" : "learner");
    }

    /** As people and scripts see it. */
    static String digest(CellStateMachine machine) {
        return HexFormat.of().toHexDigits(machine.digest());
    }

    void received(PeerFrame.Status frame, Map<CellId, CellDriver> drivers) {
        shared.contacts().refusesLeads(frame.from(), frame.refusesLeads());
        for (CellReport report : frame.cells()) {
            if (drivers.containsKey(report.cell())) {
                shared.contacts().reported(frame.from(), report);
            }
        }
    }

    void publish(boolean running, Collection<CellDriver> drivers) {
        List<CellView> views = new ArrayList<>();
        boolean changed = status.formed() != running;
        for (CellDriver driver : drivers) {
            CellView before = status.cell(driver.id());
            CellView view = view(driver, before);
            changed |= !view.equals(before);
            views.add(view);
        }
        if (changed) {
            status = new ReplicaStatus(running, false, views);
        }
    }

    /** The present view; the same object as {@code before} if nothing changed. */
    private static CellView view(CellDriver driver, @Nullable CellView before) {
        RoleChange role = driver.role();
        CellStateMachine machine = driver.machine();
        String leader = RaftMessage.nameOf(role.leader());
        if (before != null
                && before.role() == role.role()
                && before.term() == role.term()
                && Objects.equals(before.leader(), leader)
                && before.appliedIndex() == machine.appliedIndex()
                && before.serving() == driver.isServing()
                && before.sizes().watches() == driver.watchCount()
                && before.caches().equals(driver.cacheView())) {
            return before;
        }
        return new CellView(
                driver.id(),
                role.role(),
                role.term(),
                leader,
                machine.appliedIndex(),
                digest(machine),
                machine.revision(),
                driver.isServing(),
                new ReplicaStatus.Sizes(
                        machine.sessionCount(),
                        machine.placesHeld(),
                        machine.placesWaiting(),
                        machine.stateBytes(),
                        driver.watchCount(),
                        machine.leaseCount()),
                driver.core().logBytes(),
                driver.cacheView());
    }

    void publishFailure(boolean running) {
        status = new ReplicaStatus(running, true, List.of());
    }
}
