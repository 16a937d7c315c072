package io.holdfast.replica;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.List;

/**
 * Renews at the leader: what front ends send in batches, and what a single stream sends by itself.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b> 1. A session is called renewed only in the step that moved its deadline, after a leadership check that
 * began when the KeepAlive was here (R2.6, R3.5), and whether its cache lease is renewed too is decided in that step (R6.2). 2. Every batch is answered once, as long as its link lives; so a front end
 * need not guess. 3. A line counts only if its stream speaks for its session when it is settled, whatever it did when the
 * batch was sent (R6.4).
 *
 * <p><b>Source:</b> R3.5, R6.2, ADR 0014, ADR 0020.
 */
final class KeepAliveDesk {
    private final CellDriver driver;
    private final LoopShared shared;
    private final ClientStreams streams;
    private final ReadQueue reads;
    private final Deadlines deadlines;
    private final CacheDesk caches;
    private final long term;

    KeepAliveDesk(
            CellDriver driver,
            LoopShared shared,
            ClientStreams streams,
            ReadQueue reads,
            Deadlines deadlines,
            CacheDesk caches,
            long term) {
        this.driver = driver;
        this.shared = shared;
        this.streams = streams;
        this.reads = reads;
        this.deadlines = deadlines;
        this.caches = caches;
        this.term = term;
    }

    /** A batch has arrived; it waits for a leadership check that has not begun. */
    void arrived(long link, UpstreamFrame.KeepAlives batch) {
        shared.meter().keepAliveBatch(driver.id(), batch.heard().size());
        reads.add(new ReadQueue.KeepAliveBatch(link, batch));
    }

    /** R3.5: acknowledged as renewed only if the deadline moved, in this step; judged now, not when it arrived. */
    void confirmed(ReadQueue.KeepAlive keepAlive) {
        shared.meter().keepAliveBatch(driver.id(), 1);
        ClientStream stream = keepAlive.stream();
        if (!keepAlive.session().equals(stream.session())) {
            streams.refuseUnbound(stream, 0);
            return;
        }
        boolean renewed = renew(keepAlive.session());
        boolean cacheRenewed = renewed && caches.renew(keepAlive.session()); // R6.2
        streams.send(stream, new ServerFrame.KeepAliveAck(keepAlive.sendNumber(), renewed, term, cacheRenewed));
    }

    /** Leadership was confirmed after the batch had arrived: all of it is settled and answered in this one step. */
    void confirmed(ReadQueue.KeepAliveBatch waiting) {
        UpstreamFrame.KeepAlives batch = waiting.batch();
        List<Integer> notRenewed = new ArrayList<>();
        List<Integer> cacheNotRenewed = new ArrayList<>();
        List<Integer> unbound = new ArrayList<>();
        for (int i = 0; i < batch.heard().size(); i++) {
            UpstreamFrame.Heard heard = batch.heard().get(i);
            ClientStream stream = streams.known(waiting.link(), heard.stream());
            if (stream == null || !heard.session().equals(stream.session())) {
                unbound.add(i);
                if (stream != null) {
                    streams.refuseUnbound(stream, 0);
                }
            } else if (!renew(heard.session())) {
                notRenewed.add(i);
            } else if (!caches.renew(heard.session())) { // R6.2
                cacheNotRenewed.add(i);
            }
        }
        streams.sendOn(
                waiting.link(),
                new DownstreamFrame.KeepAlivesSettled(batch.number(), term, notRenewed, cacheNotRenewed, unbound));
    }

    private boolean renew(SessionId session) {
        boolean renewed = deadlines.renew(session, shared.now());
        if (renewed) {
            shared.meter().keepAliveConfirmed(driver.id());
        }
        return renewed;
    }

    /** The lead was not, and will not be, confirmed for it. */
    void refused(ReadQueue.KeepAliveBatch waiting, ErrorCode code, String why) {
        refused(waiting.link(), waiting.batch(), code, why);
    }

    /** Nothing of it is renewed. */
    void refused(long link, UpstreamFrame.KeepAlives batch, ErrorCode code, String why) {
        streams.sendOn(link, new DownstreamFrame.KeepAlivesRefused(batch.number(), code, why));
    }
}
