package io.holdfast.cell.leader;

import io.holdfast.cell.SessionLease;
import io.holdfast.cell.base.Invariants;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who caches what, who was told to let go of it and has not said so yet, and until when each may use what it caches. Never
 * replicated, never older than the leader's term.
 *
 * <p>A path is <i>awaited</i> while a session that was told to let go of it has neither acknowledged nor reached the end of its
 * cache lease. A session that has not acknowledged gets no more of a cache lease and nothing more to cache, also when nobody waits
 * for it any more.
 *
 * <p><b>Thread:</b> one at a time. Times are nanoseconds of one monotonic clock.
 *
 * <p><b>Invariants:</b> 1. A session is among those who cache a path, or among those who were told to let go of it, never both.
 * 2. The end of a cache lease does not move while anything of its session is unacknowledged (R6.3). 3. No more than the limits. 4.
 * Both indexes hold the same.
 *
 * <p><b>Source:</b> R6.2–R6.6, R8.4, ADR 0014.
 */
public final class CacheTable {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** What a session has to let go of; acknowledged under this number. */
    public record Invalidation(SessionId session, long number, List<NodePath> paths) {}

    /**
     * A session that has not acknowledged.
     *
     * @param paths 0 if it has to acknowledge the term
     * @param toldAtNanos when it was told
     * @param endsAtNanos when nobody waits for it any more; not after now if nobody does
     */
    public record Unacknowledged(SessionId session, int paths, long toldAtNanos, long endsAtNanos) {}

    /** How much it may hold. */
    record Bounds(int paths, int perSession, int all) {
        static final Bounds DEFAULTS =
                new Bounds(Limits.MAX_CACHED_PATHS, Limits.MAX_CACHED_PATHS_PER_SESSION, Limits.MAX_CACHED);
    }

    private record Told(List<NodePath> paths, long atNanos) {}

    private static final class Cacher {
        final TreeSet<NodePath> paths = new TreeSet<>();
        final TreeMap<Long, Told> unacknowledged = new TreeMap<>();
        /** Meaningful only if {@code leased}. */
        long endsAtNanos;

        boolean leased;

        /** When its cache lease ends: at once if it has none. */
        long endsAt(long nowNanos) {
            return leased ? endsAtNanos : nowNanos;
        }

        boolean holdsNothing() {
            return paths.isEmpty() && unacknowledged.isEmpty() && !leased;
        }
    }

    private final Bounds bounds;
    private final TreeMap<SessionId, Cacher> cachers = new TreeMap<>();
    private final TreeMap<NodePath, TreeSet<SessionId>> byPath = new TreeMap<>();
    /** By path, who is waited for. */
    private final TreeMap<NodePath, TreeSet<SessionId>> awaited = new TreeMap<>();
    /** Of all sessions that are waited for because of a path. */
    private final TreeSet<Wake> wakes = new TreeSet<>();

    private final EarlierCaches earlier = new EarlierCaches();

    private long tookOverAtNanos;
    private long lastNumber;
    private int size;
    private boolean freed;

    public CacheTable() {
        this(Bounds.DEFAULTS);
    }

    CacheTable(Bounds bounds) {
        this.bounds = bounds;
    }

    /**
     * Begins a term. What earlier leaders let anybody cache is not known: each caching session has to acknowledge this term, or its
     * whole lease has to pass (R6.6). To be called when the no-op of the term is applied (R2.4).
     */
    public void takeover(Iterable<SessionLease> sessions, long nowNanos) {
        Invariants.check(cachers.isEmpty(), "a term begins with an empty table");
        tookOverAtNanos = nowNanos;
        earlier.takeover(sessions, nowNanos);
    }

    /** Whether no value may be written because of what earlier leaders let sessions cache (R6.6). */
    public boolean holdsWrites() {
        return earlier.areAwaited();
    }

    /** A session caches nothing of earlier terms. */
    public void acknowledgedTerm(SessionId session) {
        freed |= earlier.remove(session);
    }

    // ---- caching

    /**
     * Registers a session as one that caches a path; to be called in the step that sends it the answer (R6.2).
     *
     * @return false if it must not cache it: it has something to acknowledge, or there is no more room
     */
    public boolean register(SessionId session, NodePath path) {
        Cacher cacher = cachers.get(session);
        if (mustAcknowledge(session, cacher)) {
            return false;
        }
        if (cacher != null && cacher.paths.contains(path)) {
            return true;
        }
        boolean room = size < bounds.all()
                && (cacher == null || cacher.paths.size() < bounds.perSession())
                && (byPath.size() < bounds.paths() || byPath.containsKey(path));
        if (!room) {
            return false;
        }
        cachers.computeIfAbsent(session, any -> new Cacher()).paths.add(path);
        byPath.computeIfAbsent(path, any -> new TreeSet<>()).add(session);
        size++;
        return true;
    }

    private boolean mustAcknowledge(SessionId session, @Nullable Cacher cacher) {
        return earlier.contains(session) || (cacher != null && !cacher.unacknowledged.isEmpty());
    }

    /**
     * Gives a session a full cache lease from now. To be called in the step in which its session's lease is renewed, for a caching
     * session (R6.2).
     *
     * @return false, and nothing moves, while it has something to acknowledge (R6.3)
     */
    public boolean renew(SessionId session, long leaseMillis, long nowNanos) {
        if (mustAcknowledge(session, cachers.get(session))) {
            return false;
        }
        Cacher cacher = cachers.computeIfAbsent(session, any -> new Cacher());
        long end = nowNanos + leaseMillis * NANOS_PER_MILLI;
        if (!cacher.leased || end - cacher.endsAtNanos > 0) { // R1.3: a deadline never moves back
            cacher.endsAtNanos = end;
        }
        cacher.leased = true;
        return true;
    }

    /**
     * The client has emptied its cache and then bound another stream to its session, which is as good as acknowledging all (R6.4).
     * To be called only for an attachment with a higher number than any before.
     */
    public void attached(SessionId session) {
        forget(session);
    }

    /** The session is over; its client stopped using its cache before, or its lease was over. */
    public void ended(SessionId session) {
        forget(session);
        acknowledgedTerm(session);
    }

    private void forget(SessionId session) {
        Cacher cacher = cachers.remove(session);
        if (cacher == null) {
            return;
        }
        cacher.paths.forEach(path -> removeFrom(byPath, path, session));
        size -= cacher.paths.size();
        for (Told told : cacher.unacknowledged.values()) {
            awaitNoMore(session, told.paths());
        }
        wakes.remove(new Wake(cacher.endsAtNanos, session));
    }

    private static boolean removeFrom(TreeMap<NodePath, TreeSet<SessionId>> index, NodePath path, SessionId session) {
        TreeSet<SessionId> sessions = index.get(path);
        boolean was = sessions != null && sessions.remove(session);
        if (sessions != null && sessions.isEmpty()) {
            index.remove(path);
        }
        return was;
    }

    private void awaitNoMore(SessionId session, List<NodePath> paths) {
        for (NodePath path : paths) {
            freed |= removeFrom(awaited, path, session) && !awaited.containsKey(path);
        }
    }

    // ---- letting go

    /** Whether anybody caches this path, or is waited for because of it. */
    public boolean isCached(NodePath path) {
        return byPath.containsKey(path) || awaited.containsKey(path);
    }

    /** Whether somebody who was told to let go of this path may still use it. */
    public boolean isAwaited(NodePath path) {
        return awaited.containsKey(path);
    }

    /** Nobody caches these paths any more, but for those who are told now, and who are awaited (R6.3): what each is to be told. */
    public List<Invalidation> invalidate(Collection<NodePath> paths, long nowNanos) {
        TreeMap<SessionId, List<NodePath>> bySession = new TreeMap<>();
        for (NodePath path : paths) {
            TreeSet<SessionId> sessions = byPath.remove(path);
            if (sessions != null) {
                size -= sessions.size();
                sessions.forEach(session -> bySession
                        .computeIfAbsent(session, any -> new ArrayList<>())
                        .add(path));
            }
        }
        List<Invalidation> told = new ArrayList<>();
        for (Map.Entry<SessionId, List<NodePath>> entry : bySession.entrySet()) {
            told.add(tell(entry.getKey(), entry.getValue(), nowNanos));
        }
        return told;
    }

    private Invalidation tell(SessionId session, List<NodePath> paths, long nowNanos) {
        Cacher cacher = Invariants.present(cachers.get(session), "who caches a path is known");
        paths.forEach(cacher.paths::remove);
        cacher.unacknowledged.put(++lastNumber, new Told(paths, nowNanos));
        if (cacher.endsAt(nowNanos) - nowNanos > 0) {
            for (NodePath path : paths) {
                awaited.computeIfAbsent(path, any -> new TreeSet<>()).add(session);
            }
            wakes.add(new Wake(cacher.endsAtNanos, session));
        }
        return new Invalidation(session, lastNumber, paths);
    }

    /** A session has let go of what it was told of up to this number. */
    public void acknowledged(SessionId session, long number) {
        Cacher cacher = cachers.get(session);
        if (cacher == null) {
            return;
        }
        for (Map.Entry<Long, Told> first = cacher.unacknowledged.firstEntry();
                first != null && first.getKey() <= number;
                first = cacher.unacknowledged.firstEntry()) {
            cacher.unacknowledged.pollFirstEntry();
            awaitNoMore(session, first.getValue().paths());
        }
        if (cacher.unacknowledged.isEmpty()) {
            wakes.remove(new Wake(cacher.endsAtNanos, session));
            if (cacher.holdsNothing()) {
                cachers.remove(session);
            }
        }
    }

    /** Waits no more for those whose cache lease is over; they still have to acknowledge before they cache anything again. */
    public void lapse(long nowNanos) {
        while (!wakes.isEmpty() && wakes.first().atNanos() - nowNanos <= 0) {
            Wake over = Invariants.present(wakes.pollFirst(), "there is one");
            Cacher cacher = Invariants.present(cachers.get(over.session()), "who is awaited is known");
            cacher.unacknowledged.values().forEach(told -> awaitNoMore(over.session(), told.paths()));
        }
        freed |= earlier.lapse(nowNanos);
    }

    /** When {@link #lapse} will next do something; {@link Long#MAX_VALUE} if never. */
    public long nextDeadlineNanos() {
        long first = wakes.isEmpty() ? Long.MAX_VALUE : wakes.first().atNanos();
        return Math.min(first, earlier.nextDeadlineNanos());
    }

    /** Whether something that was awaited is so no longer, since this was asked last. */
    public boolean takeFreed() {
        boolean was = freed;
        freed = false;
        return was;
    }

    // ---- to be shown

    /** Paths that somebody caches. */
    public int cachedPaths() {
        return byPath.size();
    }

    /** What all sessions cache, each path counted for each of them. */
    public int size() {
        return size;
    }

    /** Who has not acknowledged, whether anybody still waits for it or not. */
    public List<Unacknowledged> unacknowledged(long nowNanos) {
        List<Unacknowledged> all = new ArrayList<>();
        for (Map.Entry<SessionId, Long> one : earlier.unacknowledged()) {
            all.add(new Unacknowledged(one.getKey(), 0, tookOverAtNanos, one.getValue()));
        }
        cachers.forEach((session, cacher) -> {
            if (!cacher.unacknowledged.isEmpty()) {
                int paths = 0;
                for (Told told : cacher.unacknowledged.values()) {
                    paths += told.paths().size();
                }
                long since = cacher.unacknowledged.firstEntry().getValue().atNanos();
                all.add(new Unacknowledged(session, paths, since, cacher.endsAt(nowNanos)));
            }
        });
        return all;
    }

    /** When the first was told of those that a write may wait for; {@link Long#MAX_VALUE} if there is none. */
    public long oldestAwaitedNanos() {
        long oldest = earlier.areAwaited() ? tookOverAtNanos : Long.MAX_VALUE;
        for (Wake wake : wakes) {
            Cacher cacher = cachers.get(wake.session());
            Map.Entry<Long, Told> first = cacher == null ? null : cacher.unacknowledged.firstEntry();
            oldest = first == null ? oldest : Math.min(oldest, first.getValue().atNanos());
        }
        return oldest;
    }
}
