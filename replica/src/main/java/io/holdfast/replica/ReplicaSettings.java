package io.holdfast.replica;

import io.holdfast.raft.RaftConfig;
import io.holdfast.raft.ReplicaId;
import java.util.List;

/**
 * Who a replica process is and how its cells shall behave.
 *
 * @param self with the incarnation of its data directory
 * @param deployment greetings of another deployment are ignored
 * @param members configured names of all members, this one's included
 * @param pauseGapNanos a turn that comes this much later than planned counts as a pause of the process (R1.3)
 */
public record ReplicaSettings(
        ReplicaId self,
        String deployment,
        List<String> members,
        RaftConfig raft,
        SnapshotPolicy snapshots,
        long pauseGapNanos) {
    /** Default for {@code pauseGapNanos}: half a second. */
    public static final long DEFAULT_PAUSE_GAP_NANOS = 500_000_000L;

    public ReplicaSettings {
        members = members.stream().sorted().distinct().toList();
        if (!members.contains(self.name())) {
            throw new IllegalArgumentException("replica " + self.name() + " is not in its own member list " + members);
        }
    }

    /** With the default snapshot policy and pause gap. */
    public static ReplicaSettings of(ReplicaId self, String deployment, List<String> members, RaftConfig raft) {
        return new ReplicaSettings(self, deployment, members, raft, SnapshotPolicy.defaults(), DEFAULT_PAUSE_GAP_NANOS);
    }
}
