package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftMessage.VoteResponse;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The properties of thesis figure 3.2, of R2.6 and of the disk, judged after every event of a {@link RaftWorld}. */
final class SafetyChecks {
    private record Vote(long term, ReplicaId voter) {}

    /** How many entries before an acknowledged or a last common one are looked at each time. */
    private static final int WINDOW = 64;

    private final Map<Long, ReplicaId> leaders = new HashMap<>();
    private final Map<Vote, ReplicaId> votes = new HashMap<>();
    /** Everything that any replica was told is committed. */
    private final TreeMap<Long, LogEntry> committed = new TreeMap<>();

    /** The term by which each entry was known to be committed; leaders of later terms must have it. */
    private final Map<Long, Long> committedBy = new HashMap<>();

    private final Map<Long, Long> digests = new HashMap<>();
    private final Map<Long, Long> readFloors = new HashMap<>();

    long highestCommitted() {
        return committed.isEmpty() ? 0 : committed.lastKey();
    }

    @Nullable
    LogEntry committedAt(long index) {
        return committed.get(index);
    }

    /** Election safety: at most one leader per term; leader completeness: it has all that was committed. */
    void leads(WorldReplica replica, RaftStatus status) {
        ReplicaId other = leaders.putIfAbsent(status.term(), replica.id());
        require(other == null || other.equals(replica.id()), () -> "two leaders in term " + status.term());
        if (other == null) {
            Map<Long, LogEntry> log = new HashMap<>();
            replica.core().retainedEntries().forEach(entry -> log.put(entry.index(), entry));
            for (LogEntry entry : committed.tailMap(replica.core().firstIndex()).values()) {
                LogEntry own = log.get(entry.index());
                boolean mustHave = status.term() > committedBy.getOrDefault(entry.index(), 0L);
                require(
                        !mustHave || (own != null && same(own, entry)),
                        () -> "leader " + replica.id() + " of term " + status.term() + " lacks committed " + entry);
            }
        }
    }

    /** State machine safety: nobody is told another entry at the same index; and it is on the local disk. */
    void emitted(WorldReplica replica, LogEntry entry) {
        LogEntry known = committed.putIfAbsent(entry.index(), entry);
        committedBy.putIfAbsent(entry.index(), replica.core().status().term());
        require(known == null || same(known, entry), () -> "two entries committed at " + entry.index());
        require(replica.disk().has(entry.index(), entry.term()), () -> "committed but not durable here: " + entry);
    }

    void applied(WorldReplica replica) {
        long index = replica.machine().appliedIndex();
        Long known = digests.putIfAbsent(index, replica.machine().digest());
        require(known == null || known == replica.machine().digest(), () -> "digests differ at " + index);
    }

    void readIssued(long tag) {
        readFloors.put(tag, highestCommitted());
    }

    /** R2.6: a confirmed read sees everything that anybody was told before the read began. */
    void readConfirmed(long tag, long index) {
        Long floor = readFloors.get(tag);
        require(floor != null && index >= floor, () -> "read " + tag + " confirmed at " + index + ", floor " + floor);
    }

    /** Nothing leaves that the disk could still forget. */
    void sent(WorldReplica replica, ReplicaId to, RaftMessage message) {
        HardState durable = replica.disk().hardState();
        boolean asksOnly = message instanceof RaftMessage.PreVoteRequest;
        require(
                asksOnly || message.term() <= durable.term(),
                () -> "term " + message.term() + " shown but not durable");
        if (message instanceof RaftMessage.VoteRequest) {
            require(replica.id().equals(durable.votedFor()), "stands without a durable vote for itself");
        }
        if (message instanceof VoteResponse response && response.granted()) {
            require(to.equals(durable.votedFor()) || durable.term() > response.term(), "vote not durable");
            ReplicaId before = votes.putIfAbsent(new Vote(response.term(), replica.id()), to);
            require(
                    before == null || before.equals(to),
                    () -> replica.id() + " voted twice in term " + response.term());
        }
        // An answer of an older term may describe a log that has been replaced since it was given.
        boolean ofThisTerm = message.term() == replica.core().status().term();
        if (message instanceof AppendResponse response && response.success() && ofThisTerm) {
            requireDurable(replica, response.matchIndex());
        }
    }

    private static void requireDurable(WorldReplica replica, long matchIndex) {
        List<LogEntry> log = replica.core().retainedEntries();
        int end = (int) Math.max(0, matchIndex - replica.core().baseIndex());
        for (LogEntry entry : log.subList(Math.max(0, end - WINDOW), end)) {
            require(replica.disk().has(entry.index(), entry.term()), () -> "acknowledged but not durable: " + entry);
        }
    }

    /** Log matching: if two logs agree at an index they agree everywhere before it. */
    void logsMatch(WorldReplica changed, Collection<WorldReplica> all) {
        for (WorldReplica other : all) {
            if (other != changed && other.isUp()) {
                logsMatch(changed, other);
            }
        }
    }

    private static void logsMatch(WorldReplica one, WorldReplica two) {
        List<LogEntry> a = one.core().retainedEntries();
        List<LogEntry> b = two.core().retainedEntries();
        if (a.isEmpty() || b.isEmpty()) {
            return;
        }
        long last = Math.min(a.get(a.size() - 1).index(), b.get(b.size() - 1).index());
        long first = Math.max(last - WINDOW, Math.max(a.get(0).index(), b.get(0).index()));
        boolean agreed = false;
        for (long index = last; index >= first; index--) {
            LogEntry x = a.get((int) (index - a.get(0).index()));
            LogEntry y = b.get((int) (index - b.get(0).index()));
            agreed |= x.term() == y.term();
            require(
                    !agreed || x == y || same(x, y),
                    () -> "logs of " + one.id() + " and " + two.id() + " part at or near " + last);
        }
    }

    private static boolean same(LogEntry one, LogEntry two) {
        return one.index() == two.index()
                && one.term() == two.term()
                && one.type() == two.type()
                && Arrays.equals(one.data(), two.data());
    }

    static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    private static void require(boolean condition, Supplier<String> message) {
        if (!condition) {
            throw new AssertionError(message.get());
        }
    }
}
