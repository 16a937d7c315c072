package io.holdfast.raft;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Who belongs to the cell: voters count for majorities, learners only receive the log (thesis §4.2.1, R8.2).
 *
 * <p>Immutable; the sets are sorted and disjoint.
 */
public record Membership(SortedSet<ReplicaId> voters, SortedSet<ReplicaId> learners) {
    /** Largest number of members, voters and learners together. */
    public static final int MAX_MEMBERS = 16;

    public Membership {
        voters = Collections.unmodifiableSortedSet(new TreeSet<>(voters));
        learners = Collections.unmodifiableSortedSet(new TreeSet<>(learners));
        for (ReplicaId learner : learners) {
            if (voters.contains(learner)) {
                throw new IllegalArgumentException(learner + " is both voter and learner");
            }
        }
        if (voters.size() + learners.size() > MAX_MEMBERS) {
            throw new IllegalArgumentException("more than " + MAX_MEMBERS + " members");
        }
    }

    /** Members that all vote. */
    public static Membership ofVoters(Iterable<ReplicaId> voters) {
        TreeSet<ReplicaId> set = new TreeSet<>();
        voters.forEach(set::add);
        return new Membership(set, new TreeSet<>());
    }

    /** The smallest number of voters that is more than half. */
    public int majority() {
        return voters.size() / 2 + 1;
    }

    public boolean isVoter(ReplicaId id) {
        return voters.contains(id);
    }

    /** Voter or learner. */
    public boolean contains(ReplicaId id) {
        return voters.contains(id) || learners.contains(id);
    }
}
