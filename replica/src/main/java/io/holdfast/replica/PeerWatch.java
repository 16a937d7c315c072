package io.holdfast.replica;

import io.holdfast.raft.ReplicaId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Says, while this replica leads, which members stop answering and which answer again: one line each.
 *
 * <p><b>Thread:</b> the loop. Made anew for each lead. <b>Bounds:</b> the members.
 */
final class PeerWatch {
    private static final long CHECK_NANOS = 1_000_000_000L;
    /** A quick restart is no event. */
    static final long PATIENCE_NANOS = 3_000_000_000L;

    private final CellDriver driver;
    private final LoopShared shared;
    /** Since when those have been missed that do not answer. */
    private final Map<ReplicaId, Long> missedNanos = new TreeMap<>();
    /** Those of them of which it was said. */
    private final Set<ReplicaId> silent = new TreeSet<>();
    /** Who was heard within that is there. */
    private final long withinNanos;

    private long nextCheckNanos;

    PeerWatch(CellDriver driver, LoopShared shared) {
        this.driver = driver;
        this.shared = shared;
        this.withinNanos = Math.max(CHECK_NANOS, 3 * shared.settings().raft().heartbeatNanos());
        this.nextCheckNanos = shared.now() + CHECK_NANOS;
    }

    /** Costs nothing unless a second has passed; heartbeats turn the loop often enough. */
    void tick() {
        if (shared.now() < nextCheckNanos) {
            return;
        }
        nextCheckNanos = shared.now() + CHECK_NANOS;
        Set<ReplicaId> members = driver.members();
        missedNanos.keySet().retainAll(members);
        silent.retainAll(members);
        for (ReplicaId member : members) {
            if (!member.equals(shared.settings().self())) {
                look(member, members.size());
            }
        }
    }

    private void look(ReplicaId member, int members) {
        if (shared.contacts().isReachable(member, shared.now(), withinNanos)) {
            missedNanos.remove(member);
            if (silent.remove(member)) {
                say(member.name() + " answers again", members, "");
            }
            return;
        }
        Long since = missedNanos.putIfAbsent(member, shared.now());
        if (since != null && shared.now() - since >= PATIENCE_NANOS && silent.add(member)) {
            say(member.name() + " does not answer", members, "; see whether its process runs and can be reached");
        }
    }

    private void say(String what, int members, String advice) {
        shared.seams()
                .listener()
                .notice("cell " + driver.id() + ": " + what + ", " + (members - silent.size()) + " of " + members
                        + " replicas are there" + advice);
    }
}
