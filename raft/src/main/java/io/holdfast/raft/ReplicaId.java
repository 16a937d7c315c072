package io.holdfast.raft;

/**
 * The identity of one member of a cell for its whole life.
 *
 * <p>The value is {@code name@incarnation}, for example {@code r1@9f3c…}: the name is what an operator configured, the
 * incarnation was drawn when the data directory was first made. A replica whose disk was wiped comes back with another
 * incarnation, so to Raft it is a stranger: its votes and acknowledgements count for nothing until it is added as a
 * learner (R8.2, scenario C16).
 *
 * <p>Ordered by value, so that iteration over replicas is the same everywhere.
 */
public record ReplicaId(String value) implements Comparable<ReplicaId> {
    public ReplicaId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a replica id must not be empty");
        }
    }

    /** The configured name, without the incarnation. */
    public String name() {
        int at = value.indexOf('@');
        return at < 0 ? value : value.substring(0, at);
    }

    @Override
    public int compareTo(ReplicaId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
