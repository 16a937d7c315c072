package io.holdfast.raft;

import java.util.ArrayList;
import java.util.List;

/**
 * Which membership is in force: always the newest one in the log, committed or not (thesis §4.1).
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) never empty; (2) indexes rise strictly; (3) the first is the one in
 * force at the log's base or at the newest snapshot.
 */
final class MembershipTracker {
    private record Placed(long index, Membership membership) {}

    private final ArrayList<Placed> history = new ArrayList<>();

    MembershipTracker(long index, Membership membership) {
        history.add(new Placed(index, membership));
    }

    /** The membership in force now. */
    Membership current() {
        return newest().membership();
    }

    /** Index of the entry that set {@link #current()}; 0 for the one the cell was formed with. */
    long currentIndex() {
        return newest().index();
    }

    /** In force from the moment that it is in the log, not when committed (thesis §4.1). */
    void appended(LogEntry entry) {
        if (entry.type() == EntryType.MEMBERSHIP && entry.index() > currentIndex()) {
            history.add(new Placed(entry.index(), decode(entry)));
        }
    }

    private static Membership decode(LogEntry entry) {
        try {
            return MembershipCodec.decode(entry.data());
        } catch (IllegalArgumentException e) {
            throw new InvariantViolation("entry " + entry.index() + " is no membership: " + e.getMessage());
        }
    }

    /** Entries at and after {@code fromIndex} are gone; so are the memberships they set. */
    void truncatedFrom(long fromIndex) {
        while (history.size() > 1 && currentIndex() >= fromIndex) {
            history.remove(history.size() - 1);
        }
    }

    /** Forgets what was in force only before {@code index}. */
    void compactedTo(long index) {
        while (history.size() > 1 && history.get(1).index() <= index) {
            history.remove(0);
        }
    }

    /** A snapshot took the place of the log up to {@code index}; what later entries set stays if they stay. */
    void replacedUpTo(long index, Membership membership, boolean keepLater) {
        List<Placed> later = new ArrayList<>();
        for (Placed placed : history) {
            if (keepLater && placed.index() > index) {
                later.add(placed);
            }
        }
        history.clear();
        history.add(new Placed(index, membership));
        history.addAll(later);
    }

    private Placed newest() {
        return history.get(history.size() - 1);
    }
}
