package io.holdfast.simulation.check;

import io.holdfast.raft.HardState;
import io.holdfast.raft.ReplicaId;
import io.holdfast.simulation.world.Violation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What replicas say to each other and must be able to keep after a power cut.
 *
 * <p><b>Invariants checked:</b> a vote is on the voter's disk before it is told (thesis figure 3.1); a replica gives one
 * vote in a term, whatever happens to its process (§3.4); an entry is acknowledged only when it is on the disk (R2.1).
 */
final class Promises {
    private final Map<Integer, HardState> durable = new HashMap<>();
    private final Map<Vote, ReplicaId> votes = new HashMap<>();

    private record Vote(int identity, long term) {}

    void durable(int identity, @Nullable HardState state) {
        if (state != null) {
            durable.put(identity, state);
        }
    }

    /** A replica, in this life of its disk, tells a candidate that it has its vote. */
    void voted(int identity, long term, ReplicaId candidate) {
        ReplicaId earlier = votes.putIfAbsent(new Vote(identity, term), candidate);
        if (earlier != null && !earlier.equals(candidate)) {
            throw new Violation(
                    "one vote per term",
                    "a replica gives " + candidate + " its vote of term " + term + " after " + earlier);
        }
        HardState onDisk = durable.getOrDefault(identity, HardState.INITIAL);
        boolean kept = onDisk.term() > term || (onDisk.term() == term && candidate.equals(onDisk.votedFor()));
        if (!kept) {
            throw new Violation(
                    "durable before it is said",
                    "a vote for " + candidate + " in term " + term + " is told while the disk holds " + onDisk);
        }
    }
}
