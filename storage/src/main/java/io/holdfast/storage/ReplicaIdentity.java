package io.holdfast.storage;

import io.holdfast.raft.ReplicaId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who the replica that owns a data directory is (C16).
 *
 * @param deployment the deployment it belongs to
 * @param replicaName its configured name, unique in the deployment
 * @param incarnation drawn at random when the data directory was made; a wiped replica gets another one
 * @param formedMembers the members that the deployment was formed with, as this replica recorded them before it took part
 *     in anything; empty until then
 * @param started whether it may have voted or acknowledged something, so that a log without contents has lost them
 * @param shards how many shards the deployment has (R7.4), recorded with the members; {@link #SHARDS_UNKNOWN} until then, and
 *     in a directory that an older version formed
 */
public record ReplicaIdentity(
        String deployment,
        String replicaName,
        String incarnation,
        List<ReplicaId> formedMembers,
        boolean started,
        int shards) {
    /** Not recorded. */
    public static final int SHARDS_UNKNOWN = -1;

    public ReplicaIdentity {
        if (shards < SHARDS_UNKNOWN) {
            throw new IllegalArgumentException("shards " + shards + " is no count");
        }
        requireWord("deployment", deployment);
        requireWord("replica name", replicaName);
        requireWord("incarnation", incarnation);
        formedMembers = List.copyOf(formedMembers);
        Set<String> names = new HashSet<>();
        for (ReplicaId member : formedMembers) {
            requireLine("member", member.value());
            if (!names.add(member.name())) {
                throw new IllegalArgumentException("two members are named " + member.name());
            }
        }
        if (started && formedMembers.isEmpty()) {
            throw new IllegalArgumentException("started without members");
        }
    }

    /** A new replica, in nothing yet. */
    public static ReplicaIdentity fresh(String deployment, String replicaName, String incarnation) {
        return new ReplicaIdentity(deployment, replicaName, incarnation, List.of(), false, SHARDS_UNKNOWN);
    }

    /** The name this replica goes by in Raft. */
    public ReplicaId replicaId() {
        return new ReplicaId(replicaName + "@" + incarnation);
    }

    public boolean isFormed() {
        return !formedMembers.isEmpty();
    }

    public boolean knowsShards() {
        return shards != SHARDS_UNKNOWN;
    }

    /** The same replica, now a member of a formed deployment. */
    public ReplicaIdentity formed(List<ReplicaId> members) {
        return new ReplicaIdentity(deployment, replicaName, incarnation, members, started, shards);
    }

    /** The same replica, in a deployment with so many shards. */
    public ReplicaIdentity withShards(int count) {
        return new ReplicaIdentity(deployment, replicaName, incarnation, formedMembers, started, count);
    }

    /** The same replica, from now on answering for what its log holds. */
    public ReplicaIdentity asStarted() {
        return new ReplicaIdentity(deployment, replicaName, incarnation, formedMembers, true, shards);
    }

    private static void requireWord(String what, String value) {
        requireLine(what, value);
        if (value.indexOf('@') >= 0) {
            throw new IllegalArgumentException("the " + what + " '" + value + "' must not contain '@'");
        }
    }

    private static void requireLine(String what, String value) {
        if (value.isBlank() || value.length() > 256 || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "the " + what + " '" + value + "' must be 1 to 256 characters without control characters");
        }
    }
}
