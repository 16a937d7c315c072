package io.holdfast.server.parts;

import io.holdfast.raft.EntryType;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.Membership;
import io.holdfast.raft.MembershipCodec;
import io.holdfast.raft.ReplicaId;
import io.holdfast.storage.DataDirectory.RecoveredCell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The member lists that a replica's data know: the one that the cell was formed with, that of the newest snapshot, and those
 * that the log brought since. Consensus goes by the last of them (thesis §4.1), whatever the configuration says; the
 * configuration only says where the members are.
 *
 * <p>So a configured list that is none of them names replicas that this one does not speak to, and leaves out those that it
 * votes with: it contradicts the data, and the start is refused. An earlier list is no contradiction: while a membership
 * changes, the files of the replicas are edited one after the other. Names are compared, never addresses, which may change.
 *
 * <p><b>Thread:</b> any; immutable.
 */
final class KnownMembers {
    private final ReplicaId self;
    /** Oldest first; empty if nothing is recorded yet. */
    private final List<SortedSet<String>> lists = new ArrayList<>();

    /**
     * @param formed as recorded; empty if the cell is not formed, without {@code self} if this replica joined later
     * @param cell what was found on the disk
     */
    KnownMembers(ReplicaId self, Collection<ReplicaId> formed, RecoveredCell cell) {
        this.self = self;
        if (!formed.isEmpty()) {
            add(formed);
        }
        long covered = 0;
        if (cell.snapshot().isPresent()) {
            covered = cell.snapshot().get().index();
            add(cell.snapshot().get().membership());
        }
        for (LogEntry entry : cell.log().entries()) {
            if (entry.type() == EntryType.MEMBERSHIP && entry.index() > covered) {
                add(MembershipCodec.decode(entry.data()));
            }
        }
    }

    private void add(Membership membership) {
        TreeSet<ReplicaId> members = new TreeSet<>(membership.voters());
        members.addAll(membership.learners());
        add(members);
    }

    private void add(Collection<ReplicaId> members) {
        TreeSet<String> names = new TreeSet<>();
        names.add(self.name()); // also one that joined later, or was removed
        members.forEach(member -> names.add(member.name()));
        lists.add(names);
    }

    /**
     * Checks a configured list.
     *
     * @throws StartFailedException naming {@code members} and both lists if the data know no such list
     */
    void requireKnown(Collection<String> configured) {
        SortedSet<String> names = new TreeSet<>(configured);
        if (lists.isEmpty() || lists.contains(names)) {
            return;
        }
        throw new StartFailedException("replica " + self.name() + ": members: the configuration names "
                + String.join(", ", names) + ", but by its data the members are "
                + String.join(", ", lists.get(lists.size() - 1))
                + "; put these names into the configuration (addresses may change, names may not), or start this replica"
                + " with the data directory that belongs to it");
    }
}
