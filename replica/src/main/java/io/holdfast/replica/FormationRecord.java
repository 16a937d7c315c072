package io.holdfast.replica;

import io.holdfast.raft.ReplicaId;
import java.util.List;

/**
 * What a replica finds recorded by its {@link IdentityStore} when it starts.
 *
 * @param members as last stored; empty if never
 * @param started whether {@link IdentityStore#started} was recorded
 */
public record FormationRecord(List<ReplicaId> members, boolean started) {
    public FormationRecord {
        members = List.copyOf(members);
    }

    /** Nothing recorded: a new data directory. */
    public static FormationRecord none() {
        return new FormationRecord(List.of(), false);
    }
}
