package io.holdfast.simulation.check;

import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftOutput;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.RecoveredLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every replica of one cell has in its log, and what is committed.
 *
 * <p><b>Invariants checked:</b>
 *
 * <ol>
 *   <li>Log matching: entries with one index and term have the same content and the same predecessor (thesis §3.5).
 *   <li>Election safety: a term has at most one leader (thesis §3.4).
 *   <li>Leader completeness: whoever becomes leader of a term has every entry that was committed in earlier terms (§3.6.3).
 *   <li>State machine safety: an index is applied with one content everywhere, and not before a majority of the voters has
 *       had it on disk (R2.1).
 *   <li>The same state everywhere after the same index (R2.2).
 * </ol>
 */
public final class LogBook {
    private final World world;
    private final Map<Integer, ReplicaLog> logs = new HashMap<>();
    private final Map<Long, Integer> leaders = new HashMap<>();
    private final List<@Nullable Version> versions = new ArrayList<>();
    private final List<Committed> committed = new ArrayList<>();
    private final Map<Long, Digest> digests = new HashMap<>();
    private final CommitListener listener;
    private int voters;

    /** Hears of each committed entry once, in order. */
    @FunctionalInterface
    public interface CommitListener {
        void committed(LogEntry entry);
    }

    /** One content that the log has had somewhere at some index, with the others at that index. */
    private static final class Version {
        final LogEntry entry;
        final long previousTerm;
        final @Nullable Version other;
        /** Bits of the replicas on whose disk it has been. */
        long durableAt;

        Version(LogEntry entry, long previousTerm, @Nullable Version other) {
            this.entry = entry;
            this.previousTerm = previousTerm;
            this.other = other;
        }
    }

    /** @param commitTerm a term at or after the one in which it was committed */
    private record Committed(Version version, long commitTerm) {}

    private record Digest(int replica, long value) {}

    /** The terms of one replica's log, in memory. */
    private static final class ReplicaLog {
        long base;
        long baseTerm;
        long[] terms = new long[256];
        int size;

        long lastIndex() {
            return base + size;
        }

        long term(long index) {
            return index == base ? baseTerm : terms[(int) (index - base - 1)];
        }

        void cutAfter(long index) {
            size = (int) Math.max(0, Math.min(size, index - base));
        }

        void add(long term) {
            if (size == terms.length) {
                terms = Arrays.copyOf(terms, size * 2);
            }
            terms[size++] = term;
        }

        void rebase(long newBase, long newBaseTerm, boolean discardTail) {
            if (discardTail || newBase >= lastIndex()) {
                size = 0;
            } else if (newBase > base) {
                int gone = (int) (newBase - base);
                System.arraycopy(terms, gone, terms, 0, size - gone);
                size -= gone;
            }
            base = newBase;
            baseTerm = newBaseTerm;
        }
    }

    public LogBook(World world, int voters, CommitListener listener) {
        this.world = world;
        this.voters = voters;
        this.listener = listener;
    }

    public long committedIndex() {
        return committed.size();
    }

    /** A replica started with this on its disk, where it is durable whether that was ever told or not. */
    public void recovered(int replica, int identity, RecoveredLog found) {
        ReplicaLog log = new ReplicaLog();
        log.base = found.baseIndex();
        log.baseTerm = found.baseTerm();
        logs.put(replica, log);
        append(replica, log, found.entries());
        markDurable(identity, found.entries());
    }

    /** A replica asked its log store for this. */
    public void requested(int replica, RaftOutput.Persist request) {
        ReplicaLog log = logs.computeIfAbsent(replica, unseen -> new ReplicaLog());
        RaftOutput.LogBase base = request.base();
        if (base != null) {
            log.rebase(base.index(), base.term(), base.discardTail());
        }
        append(replica, log, request.entries());
    }

    private void append(int replica, ReplicaLog log, List<LogEntry> entries) {
        for (LogEntry entry : entries) {
            if (entry.index() <= log.base) {
                continue;
            }
            if (entry.index() > log.lastIndex() + 1) {
                throw new Violation(
                        "log without holes",
                        "replica " + replica + " puts " + entry.index() + " after " + log.lastIndex());
            }
            if (entry.index() <= log.lastIndex()) {
                if (log.term(entry.index()) != entry.term()) {
                    world.coverage().seen(Seen.LOG_OVERWRITTEN);
                }
                log.cutAfter(entry.index() - 1);
            }
            version(entry, log.term(entry.index() - 1), replica);
            log.add(entry.term());
        }
    }

    private Version version(LogEntry entry, long previousTerm, int replica) {
        Version known = find(entry.index(), entry.term());
        if (known == null) {
            int at = (int) entry.index();
            while (versions.size() <= at) {
                versions.add(null);
            }
            known = new Version(entry, previousTerm, versions.get(at));
            versions.set(at, known);
            return known;
        }
        if (known.previousTerm != previousTerm
                || known.entry.type() != entry.type()
                || (known.entry.data() != entry.data() && !Arrays.equals(known.entry.data(), entry.data()))) {
            throw new Violation(
                    "log matching",
                    "replica " + replica + " has another entry " + entry.index() + " of term " + entry.term()
                            + " than others");
        }
        return known;
    }

    private @Nullable Version find(long index, long term) {
        Version at = index < versions.size() ? versions.get((int) index) : null;
        while (at != null && at.entry.term() != term) {
            at = at.other;
        }
        return at;
    }

    /**
     * This is on a replica's disk now.
     *
     * @param identity number of the replica in this life of its disk; a wiped one has another
     */
    public void durable(int identity, RaftOutput.Persist request) {
        markDurable(identity, request.entries());
    }

    private void markDurable(int identity, List<LogEntry> entries) {
        for (LogEntry entry : entries) {
            Version version = find(entry.index(), entry.term());
            if (version != null) {
                version.durableAt |= 1L << identity;
            }
        }
    }

    /** A replica leads a term. */
    public void leads(int replica, long term) {
        Integer earlier = leaders.putIfAbsent(term, replica);
        if (earlier == null) {
            world.coverage().seen(Seen.LEADER_CHANGED);
        } else if (earlier != replica) {
            throw new Violation(
                    "election safety", "replicas " + earlier + " and " + replica + " both lead term " + term);
        }
        requireComplete(replica, term);
    }

    private void requireComplete(int replica, long term) {
        int at = committed.size();
        while (at > 0 && committed.get(at - 1).commitTerm() >= term) {
            at--;
        }
        if (at == 0) {
            return;
        }
        Version last = committed.get(at - 1).version();
        long index = last.entry.index();
        ReplicaLog log = logs.computeIfAbsent(replica, unseen -> new ReplicaLog());
        if (log.lastIndex() < index || (log.base < index && log.term(index) != last.entry.term())) {
            throw new Violation(
                    "leader completeness",
                    "replica " + replica + " leads term " + term + " without entry " + index + " of term "
                            + last.entry.term() + "; its log ends at " + log.lastIndex());
        }
    }

    /**
     * A replica has applied everything up to an index.
     *
     * @param from the first index that it applied just now
     * @param term the replica's current term
     */
    public void applied(int replica, long from, long to, long term) {
        ReplicaLog log = logs.computeIfAbsent(replica, unseen -> new ReplicaLog());
        for (long index = Math.max(from, log.base + 1); index <= to; index++) {
            if (index > log.lastIndex()) {
                throw new Violation("applied what it has", "replica " + replica + " applied " + index);
            }
            long entryTerm = log.term(index);
            if (index <= committed.size()) {
                long expected = committed.get((int) index - 1).version().entry.term();
                if (expected != entryTerm) {
                    throw new Violation(
                            "state machine safety",
                            "replica " + replica + " applied entry " + index + " of term " + entryTerm
                                    + ", others that of term " + expected);
                }
                continue;
            }
            commit(replica, index, entryTerm, term);
        }
    }

    /** The leader of a term decides that the log is committed up to an index: only by an entry of its term (§3.6.2). */
    public void decided(int replica, long term, long index) {
        ReplicaLog log = logs.computeIfAbsent(replica, unseen -> new ReplicaLog());
        if (index > log.base && log.term(index) != term) {
            throw new Violation(
                    "commit rule",
                    "the leader of term " + term + " commits up to entry " + index + " of term " + log.term(index));
        }
    }

    /**
     * A replica acknowledges its log up to an index to the leader of a term. After a pause that may leave when entries of a
     * later leader, heard in the same turn, have taken the place of what it speaks of: as if the network had been slow.
     */
    public void acknowledged(int replica, int identity, long term, long index) {
        ReplicaLog log = logs.computeIfAbsent(replica, unseen -> new ReplicaLog());
        if (index <= log.base || index > log.lastIndex()) {
            return;
        }
        long entryTerm = log.term(index);
        boolean durable =
                entryTerm <= term ? isDurable(find(index, entryTerm), identity) : anyIsDurable(index, term, identity);
        if (!durable) {
            throw new Violation(
                    "durable before it is said", "replica " + replica + " acknowledges entry " + index + " too early");
        }
    }

    private static boolean isDurable(@Nullable Version version, int identity) {
        return version != null && (version.durableAt & (1L << identity)) != 0;
    }

    private boolean anyIsDurable(long index, long maxTerm, int identity) {
        for (Version at = versions.get((int) index); at != null; at = at.other) {
            if (at.entry.term() <= maxTerm && isDurable(at, identity)) {
                return true;
            }
        }
        return false;
    }

    private void commit(int replica, long index, long entryTerm, long term) {
        Version version = find(index, entryTerm);
        if (version == null || index != committed.size() + 1) {
            throw new Violation("applied in order", "replica " + replica + " is the first to apply " + index);
        }
        if (Long.bitCount(version.durableAt) < voters / 2 + 1) {
            throw new Violation(
                    "durable on a majority",
                    "replica " + replica + " applied entry " + index + " of term " + entryTerm
                            + " that is on the disks " + Long.toBinaryString(version.durableAt) + " of " + voters
                            + " voters");
        }
        committed.add(new Committed(version, term));
        listener.committed(version.entry);
    }

    /** The state digest of a replica that has applied everything up to an index. */
    public void digest(int replica, long index, long value) {
        Digest first = digests.putIfAbsent(index, new Digest(replica, value));
        if (first != null && first.value() != value) {
            throw new Violation(
                    "same state", "replicas " + first.replica() + " and " + replica + " differ after entry " + index);
        }
    }

    /** The committed entry at an index. */
    public LogEntry entry(long index) {
        return committed.get((int) index - 1).version().entry;
    }

    /** From now on this many replicas vote. */
    public void voters(int count) {
        voters = count;
    }
}
