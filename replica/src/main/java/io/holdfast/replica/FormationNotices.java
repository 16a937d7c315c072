package io.holdfast.replica;

import io.holdfast.raft.ReplicaId;
import java.util.SortedSet;

/** What operators are told while a replica is not formed: what is wrong, and what to do. */
final class FormationNotices {
    private FormationNotices() {}

    /** A cell runs, without this incarnation (C16, C87). */
    static String notAMember(ReplicaId self, SortedSet<ReplicaId> members) {
        String name = self.name();
        for (ReplicaId member : members) {
            if (member.name().equals(name)) {
                return name + "'s data directory is new (" + self + ") but the cell was formed with another " + name
                        + " ("
                        + member
                        + "): it was wiped or replaced; it takes no part until you remove the old member and add "
                        + "this one";
            }
        }
        return name + " (" + self + ") is not a member of the running cell " + members
                + ": it takes no part until you add it";
    }

    static String otherDeployment(ReplicaId peer, String theirs, String ours) {
        return peer.name() + " belongs to deployment '" + theirs + "', this replica to '" + ours
                + "': its greetings are ignored; check the member lists";
    }

    /** R7.4: with two counts at work a name would have two homes. */
    static String otherShards(ReplicaId peer, int theirs, int ours) {
        return peer.name() + " counts " + theirs + " shards, this replica " + ours
                + ": they take no part together; give all replicas of a deployment the same count (configuration key shards;"
                + " it is fixed when the deployment is made)";
    }

    /** An agreed member came back with a new data directory before the cell was formed. */
    static String replacedMeanwhile(ReplicaId peer, SortedSet<ReplicaId> agreed) {
        return peer.name() + "'s data directory was replaced (" + peer + ") while the cell was being formed with "
                + agreed
                + ": nothing is stored in the cell yet; stop all replicas, delete the data directories of those that "
                + "agreed and start again";
    }
}
