package io.holdfast.replica;

import io.holdfast.cell.SessionLease;
import io.holdfast.cell.leader.CacheTable;
import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What clients cache, at the leader: gives them leave to, tells them to let go, and takes their word for it. Which writes wait for
 * that is {@link WriteGate}'s business.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b> 1. A session is registered in the step that sends it what it may cache, on the stream on which it will be
 * told to let go (R6.2). 2. The word of a session is taken only from the stream that speaks for it, and only for this term. 3. That
 * a stream ended says nothing (R6.4).
 *
 * <p><b>Source:</b> R6.2–R6.6, ADR 0014.
 */
final class CacheDesk {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final CellDriver driver;
    private final LoopShared shared;
    private final ClientStreams streams;
    private final long term;
    private final CacheTable table = new CacheTable();

    CacheDesk(CellDriver driver, LoopShared shared, ClientStreams streams, long term) {
        this.driver = driver;
        this.shared = shared;
        this.streams = streams;
        this.term = term;
    }

    CacheTable table() {
        return table;
    }

    /** Begins the term (R6.6). */
    void takeOver() {
        table.takeover(driver.machine().sessions(), shared.now());
    }

    /** Leave for a session to cache what it is answered about a path, in this step; null if it must not. */
    ServerFrame.@Nullable Fill fill(SessionId session, NodePath path) {
        SessionLease lease = driver.machine().session(session);
        if (lease == null || !lease.caching() || !table.register(session, path)) {
            return null;
        }
        return new ServerFrame.Fill(streams.attachmentOf(session), term);
    }

    /** The session's lease was renewed in this step: whether its cache lease is too (R6.2, R6.3). */
    boolean renew(SessionId session) {
        SessionLease lease = driver.machine().session(session);
        return lease != null && lease.caching() && table.renew(session, lease.leaseMillis(), shared.now());
    }

    /** Nobody may cache these paths any more; whoever does is told. */
    void invalidate(Collection<NodePath> paths) {
        for (CacheTable.Invalidation told : table.invalidate(paths, shared.now())) {
            shared.meter().invalidated(driver.id(), told.paths().size());
            ClientStream stream = streams.streamOf(told.session());
            if (stream != null) {
                streams.send(stream, new ServerFrame.Invalidate(told.session(), told.number(), told.paths()));
            }
        }
    }

    /** A client has let go. */
    void acknowledged(ClientStream stream, ClientFrame.CacheAck ack) {
        SessionId session = stream.session();
        if (session == null || ack.epoch() != term) {
            return; // R6.6: of another leader
        }
        table.acknowledgedTerm(session); // whoever has heard of this term caches nothing of an earlier one
        table.acknowledged(session, ack.number());
    }

    /** What is shown of it. */
    Answer.Caches report(int writesWaiting) {
        long now = shared.now();
        List<Answer.CacheWait> waits = new ArrayList<>();
        for (CacheTable.Unacknowledged one : table.unacknowledged(now)) {
            long left = Math.max(0, one.endsAtNanos() - now) / NANOS_PER_MILLI;
            if (left > 0) {
                long waited = (now - one.toldAtNanos()) / NANOS_PER_MILLI;
                waits.add(new Answer.CacheWait(one.session(), "", one.paths(), waited, left));
            }
        }
        waits.sort(Comparator.comparingLong(Answer.CacheWait::waitedMillis).reversed());
        List<Answer.CacheWait> named = new ArrayList<>();
        for (Answer.CacheWait wait : waits.subList(0, Math.min(Answer.Caches.MAX_NAMED, waits.size()))) {
            named.add(new Answer.CacheWait(
                    wait.session(), nameOf(wait.session()), wait.paths(), wait.waitedMillis(), wait.remainingMillis()));
        }
        return new Answer.Caches(table.cachedPaths(), writesWaiting, named);
    }

    private String nameOf(SessionId session) {
        Query query = new Query.ListSessions(new SessionId(session.value() - 1), 1);
        return driver.machine().query(query) instanceof Answer.Sessions found
                        && !found.sessions().isEmpty()
                ? found.sessions().get(0).clientName()
                : "";
    }

    ReplicaStatus.Caches view() {
        return new ReplicaStatus.Caches(table.cachedPaths(), table.oldestAwaitedNanos());
    }
}
