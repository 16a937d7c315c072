package io.holdfast.cell.session;

import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.base.PersistentMap;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All open sessions of a cell, by id.
 *
 * <p><b>Thread:</b> the one that applies. {@link #frozen()} may be read by any.
 *
 * <p><b>Invariants:</b> 1. No two sessions have the same secret. 2. {@code digest} and {@code bytes} are the sums over all
 * sessions and their results. 3. The indexes by secret and of owned nodes are derived.
 */
public final class SessionTable {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final SortedSet<NodePath> NONE = Collections.emptySortedSet();

    private PersistentMap<SessionId, Session> sessions = PersistentMap.empty();
    private final Map<Secret, SessionId> bySecret = new LinkedHashMap<>();
    private final Map<SessionId, TreeSet<NodePath>> owned = new LinkedHashMap<>();
    private long digest;
    private long bytes;

    private record Secret(long high, long low) {
        static Secret of(byte[] secret) {
            Invariants.check(secret.length == Limits.SECRET_BYTES, "a secret has the right length");
            return new Secret((long) LONGS.get(secret, 0), (long) LONGS.get(secret, 8));
        }
    }

    public @Nullable Session find(SessionId id) {
        return sessions.get(id);
    }

    /**
     * The open session with this secret.
     *
     * @param secret of the right length
     */
    public @Nullable Session findBySecret(byte[] secret) {
        SessionId id = bySecret.get(Secret.of(secret));
        return id == null ? null : sessions.get(id);
    }

    /** Whether the session is open and the secret is its own (R3.1); takes as long for a wrong secret as for the right. */
    public boolean authorises(SessionId id, byte[] secret) {
        Session session = sessions.get(id);
        return session != null && MessageDigest.isEqual(session.opening().secret(), secret);
    }

    public int size() {
        return sessions.size();
    }

    public long bytes() {
        return bytes;
    }

    public long digest() {
        return digest;
    }

    /** The sessions as they are now, for ever. */
    public PersistentMap<SessionId, Session> frozen() {
        return sessions;
    }

    /** Adds a session, new or from a snapshot. */
    public void add(Session session) {
        Invariants.check(sessions.get(session.id()) == null, "a session id is used once");
        Invariants.check(
                bySecret.put(Secret.of(session.opening().secret()), session.id()) == null,
                "no two sessions have the same secret");
        sessions = sessions.with(session.id(), session);
        digest += session.ownDigest() + resultsDigest(session);
        bytes += session.ownCost() + resultsCost(session);
    }

    /** Removes a session whose nodes are gone already. */
    public void remove(SessionId id) {
        Session session = existing(id);
        Invariants.check(!owned.containsKey(id), "a session that ends owns nothing any more");
        sessions = sessions.without(id);
        bySecret.remove(Secret.of(session.opening().secret()));
        digest -= session.ownDigest() + resultsDigest(session);
        bytes -= session.ownCost() + resultsCost(session);
    }

    /** Raises the watermark and forgets the results at and below it; a lower one than before changes nothing (R2.7). */
    public Session raiseWatermark(SessionId id, long watermark) {
        Session session = existing(id);
        if (watermark <= session.watermark()) {
            return session;
        }
        PersistentMap<Long, Outcome> results = session.results();
        PersistentMap.Entry<Long, Outcome> lowest = results.first();
        while (lowest != null && lowest.key() <= watermark) {
            digest -= session.digestOf(lowest.key(), lowest.value());
            bytes -= StoredOutcome.cost(lowest.value());
            results = results.without(lowest.key());
            lowest = results.first();
        }
        Session raised = new Session(id, session.opening(), watermark, results);
        digest += raised.ownDigest() - session.ownDigest();
        sessions = sessions.with(id, raised);
        return raised;
    }

    /** Keeps the result of a request, once (R2.7). */
    public void keepResult(SessionId id, long requestId, Outcome result) {
        Session session = existing(id);
        Invariants.check(
                requestId > session.watermark()
                        && requestId - session.watermark() <= Limits.MAX_RESULTS_PER_SESSION
                        && session.result(requestId) == null,
                "a result is kept once and inside the window");
        digest += session.digestOf(requestId, result);
        bytes += StoredOutcome.cost(result);
        PersistentMap<Long, Outcome> results = session.results().with(requestId, result);
        sessions = sessions.with(id, new Session(id, session.opening(), session.watermark(), results));
    }

    /** Notes that a node belongs to a session and goes with it. */
    public void own(SessionId id, NodePath node) {
        Invariants.check(sessions.get(id) != null, "an ephemeral node's session is open");
        owned.computeIfAbsent(id, key -> new TreeSet<>()).add(node);
    }

    public void disown(SessionId id, NodePath node) {
        TreeSet<NodePath> nodes = Invariants.present(owned.get(id), "the session owns something");
        Invariants.check(nodes.remove(node), "the session owns the node");
        if (nodes.isEmpty()) {
            owned.remove(id);
        }
    }

    /** What a session owns, in path order; a view. */
    public SortedSet<NodePath> ownedBy(SessionId id) {
        SortedSet<NodePath> nodes = owned.get(id);
        return nodes == null ? NONE : Collections.unmodifiableSortedSet(nodes);
    }

    /** The sessions with higher ids, by id. */
    public Iterator<PersistentMap.Entry<SessionId, Session>> after(SessionId id) {
        return sessions.iteratorFrom(other -> other.compareTo(id) > 0);
    }

    /** The digest computed from nothing; slow. */
    public long recomputedDigest() {
        long sum = 0;
        for (PersistentMap.Entry<SessionId, Session> entry : sessions) {
            sum += entry.value().ownDigest() + resultsDigest(entry.value());
        }
        return sum;
    }

    /** The bytes computed from nothing; slow. */
    public long recomputedBytes() {
        long sum = 0;
        for (PersistentMap.Entry<SessionId, Session> entry : sessions) {
            sum += entry.value().ownCost() + resultsCost(entry.value());
        }
        return sum;
    }

    private static long resultsDigest(Session session) {
        long sum = 0;
        for (PersistentMap.Entry<Long, Outcome> result : session.results()) {
            sum += session.digestOf(result.key(), result.value());
        }
        return sum;
    }

    private static long resultsCost(Session session) {
        long sum = 0;
        for (PersistentMap.Entry<Long, Outcome> result : session.results()) {
            sum += StoredOutcome.cost(result.value());
        }
        return sum;
    }

    private Session existing(SessionId id) {
        return Invariants.present(sessions.get(id), "the session is open");
    }
}
