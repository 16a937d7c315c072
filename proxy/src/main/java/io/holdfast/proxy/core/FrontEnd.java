package io.holdfast.proxy.core;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.SessionId;
import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries the frames of many client streams to the cell's leader and its answers back, over one link; calls to shards go
 * their own ways ({@link ShardCalls}).
 *
 * <p><b>Thread:</b> one at a time. Time is a monotonic clock's, passed in. {@link Output} is called from within each
 * method and must not call back.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>The frames of a stream are forwarded in the order in which they came, each at most once: nothing is ever repeated
 *       here (R2.7).
 *   <li>When a link ends, each stream that had something forwarded on it is told {@link ServerFrame.Interrupted}; nothing
 *       that came late on an old link reaches a client after that.
 *   <li>A refusal from here is definite: the frame was never forwarded.
 *   <li>A frame waits for a leader at most a bounded time and within bounds; a KeepAlive that waited that long is dropped
 *       (R3.5).
 *   <li>Watches of all clients on one path and kind are one at the leader ({@link SharedWatches}).
 *   <li>KeepAlives of a stream that speaks for a session go in batches ({@link KeepAliveBatches}); all others as they came.
 * </ol>
 */
public final class FrontEnd {
    /** What the front end wants done. Must return at once; must not call the front end. */
    public interface Output {
        void toClient(long stream, ServerFrame frame);

        /** Ends a stream after what was sent to it. The front end has forgotten it. */
        void closeClient(long stream, String reason);

        /** Dial this replica; {@link #upstreamOpened} or {@link #upstreamClosed} shall follow. */
        void openUpstream(long link, String leaderReplica);

        void toUpstream(long link, UpstreamFrame frame);

        /** End a link at once. The front end has forgotten it. */
        void closeUpstream(long link);
    }

    private FrontEndConfig config;
    private final Output out;
    private final Map<Long, ClientStream> streams = new LinkedHashMap<>();
    private final WaitingFrames waiting;
    private final LeaderLink link;
    private final KeepAliveBatches keepAlives = new KeepAliveBatches();
    private final SharedWatches watches;
    /** What clients are told that shall move; null while all may stay. */
    private ServerFrame.@Nullable Draining draining;

    private Shards shards;
    private ShardCalls shardCalls;

    /** For a deployment without shards. */
    public FrontEnd(FrontEndConfig config, Output out) {
        this(config, Shards.NONE, out);
    }

    public FrontEnd(FrontEndConfig config, Shards shards, Output out) {
        this.config = config;
        this.shards = shards;
        this.shardCalls = new ShardCalls(config, shards, 0, out);
        this.out = out;
        this.waiting = new WaitingFrames(config.bounds());
        this.link = new LeaderLink(config.times());
        this.watches = new SharedWatches(this::answer, frame -> out.toUpstream(link.number(), frame));
    }

    // ---- clients

    /** A client came. Stream numbers are never used twice. */
    public void clientOpened(long stream, long now) {
        if (draining != null) {
            out.closeClient(stream, draining.reason());
            return;
        }
        keepAlives.look(now);
        if (streams.size() >= config.bounds().maxStreams()) {
            out.closeClient(stream, "this front end serves " + streams.size() + " clients already; try another");
            return;
        }
        streams.put(stream, new ClientStream(stream));
        out.toClient(stream, new ServerFrame.Hello(config.cell(), config.deployment(), config.replica()));
    }

    public void clientFrame(long stream, ClientFrame frame, long now) {
        keepAlives.look(now);
        ClientStream client = streams.get(stream);
        if (client == null || !client.accepts(frame)) {
            return;
        }
        if (frame instanceof ClientFrame.Ping) {
            out.toClient(stream, new ServerFrame.Pong()); // whether there is a leader or not
            return;
        }
        String shard = ShardRoutes.cellOf(frame, shards);
        SessionId session = client.session();
        if (shard != null) {
            shardCalls.call(shard, stream, frame, now);
        } else if (session != null && frame instanceof ClientFrame.KeepAlive keepAlive) {
            keepAlives.heard(client, session, keepAlive, now);
            sendKeepAlives(now);
        } else if (link.isOpen()) {
            forward(client, frame);
        } else if (!waiting.add(stream, frame, now)) {
            out.toClient(stream, Frames.refusal(frame, ErrorCode.BUSY, "too much waits here for a leader"));
        }
    }

    /** A frame of this client could not be read; it is told so after what it was told before. */
    public void clientRefused(long stream, ServerFrame.Refused refusal) {
        if (streams.containsKey(stream)) {
            out.toClient(stream, refusal);
        }
    }

    /** The client went, or was cut off for reading too slowly. */
    public void clientClosed(long stream) {
        ClientStream client = streams.remove(stream);
        waiting.removeStream(stream);
        keepAlives.streamClosed(stream);
        shardCalls.clientClosed(stream);
        if (client != null && client.hasForwarded() && link.isOpen()) {
            out.toUpstream(link.number(), new UpstreamFrame.StreamClosed(stream));
            watches.closed(client); // after that: the leader registers nothing more for it
        }
    }

    /**
     * Asks all clients to move to another front end, each at a time of its own within {@code spreadMillis}; whoever comes from now
     * on is turned away. Who stays is served as before.
     */
    public void drain(String reason, long spreadMillis) {
        ServerFrame.Draining told = new ServerFrame.Draining(reason, spreadMillis);
        draining = told;
        streams.keySet().forEach(stream -> out.toClient(stream, told));
    }

    /**
     * The cell was set up anew under the same addresses (C115): the link, what is known of terms, and all streams belong to a cell
     * that is gone.
     *
     * @param freshShards of the new deployment
     */
    public void cellReplaced(FrontEndConfig fresh, Shards freshShards) {
        config = fresh;
        if (link.exists()) {
            out.closeUpstream(link.number());
            link.end();
            keepAlives.linkEnded();
            watches.linkEnded();
        }
        link.forget();
        shardCalls.close();
        shards = freshShards;
        shardCalls = new ShardCalls(fresh, freshShards, shardCalls.lastLink(), out);
        for (long stream : List.copyOf(streams.keySet())) {
            streams.remove(stream);
            waiting.removeStream(stream);
            keepAlives.streamClosed(stream);
            out.closeClient(stream, "the cell was set up anew: it is deployment " + fresh.deployment());
        }
    }

    private void forward(ClientStream client, ClientFrame frame) {
        if (Frames.idOf(frame) != 0 && client.inFlight() >= config.bounds().maxInFlight()) {
            out.toClient(
                    client.number(),
                    Frames.refusal(
                            frame,
                            ErrorCode.BUSY,
                            client.inFlight() + " requests of this stream are not yet answered"));
            return;
        }
        client.forwarded(frame);
        if (frame instanceof ClientFrame.Watch watch) {
            watches.claims(client, watch);
            return;
        }
        ClientFrame forwarded = frame;
        if (frame instanceof ClientFrame.Read read && read.watch() != 0) {
            forwarded = watches.asks(client, read);
        } else if (frame instanceof ClientFrame.Open || frame instanceof ClientFrame.Attach) {
            watches.unbound(client);
        }
        if (forwarded != null) {
            out.toUpstream(link.number(), new UpstreamFrame.Forward(client.number(), forwarded));
        }
    }

    /** Answers a client from here. */
    private void answer(ClientStream client, ServerFrame frame) {
        client.answered(frame);
        out.toClient(client.number(), frame);
    }

    private void sendKeepAlives(long now) {
        UpstreamFrame.KeepAlives batch = keepAlives.take(now);
        if (batch != null) {
            out.toUpstream(link.number(), batch);
        }
    }

    // ---- the leader

    /**
     * Who leads now. The same leader in a higher term is another one: it has forgotten its streams (R2.4).
     *
     * @param leaderReplica configured name; null if no leader is known
     * @param term of that knowledge; what is older than known is ignored
     */
    public void leaderKnown(@Nullable String leaderReplica, long term, long now) {
        if (!link.learn(leaderReplica, term)) {
            return;
        }
        closeLink(
                leaderReplica == null
                        ? "no leader is known in term " + term
                        : "replica " + leaderReplica + " leads in term " + term);
        openLink(now);
    }

    /** Who leads a shard now; as {@link #leaderKnown(String, long, long)}. */
    public void leaderKnown(String shardCell, @Nullable String leaderReplica, long term, long now) {
        shardCalls.leaderKnown(shardCell, leaderReplica, term, now);
    }

    public void upstreamOpened(long which) {
        if (ShardCalls.isLink(which)) {
            shardCalls.opened(which);
        } else {
            opened(which);
        }
    }

    private void opened(long which) {
        if (!link.opened(which)) {
            return;
        }
        for (WaitingFrames.Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            ClientStream client = streams.get(next.stream());
            if (client != null) {
                forward(client, next.frame());
            }
        }
    }

    public void downstream(long which, DownstreamFrame frame, long now) {
        keepAlives.look(now);
        if (ShardCalls.isLink(which)) {
            shardCalls.received(which, frame, now);
            return;
        }
        if (!link.isPresent(which)) {
            return;
        }
        if (frame instanceof DownstreamFrame.NotLeader notLeader) {
            closeLink("the leader stepped down: " + notLeader.reason());
            link.reopenLater(now);
        } else if (frame instanceof DownstreamFrame.Deliver deliver) {
            link.proven();
            ClientStream client = streams.get(deliver.stream());
            if (client != null) {
                client.delivered(deliver.frame(), now);
                out.toClient(deliver.stream(), deliver.frame());
                watches.delivered(client, deliver.frame());
            }
        } else if (frame instanceof DownstreamFrame.KeepAlivesSettled settled) {
            link.proven();
            tell(keepAlives.settled(settled), now);
        } else if (frame instanceof DownstreamFrame.KeepAlivesRefused refused) {
            tell(keepAlives.refused(refused), now);
        } else {
            watchesSaid(frame);
        }
    }

    private void watchesSaid(DownstreamFrame frame) {
        if (frame instanceof DownstreamFrame.WatchesFired fired) {
            watches.fired(fired);
        } else if (frame instanceof DownstreamFrame.WatchesClaimed claimed) {
            link.proven();
            watches.claimed(claimed);
        } else if (frame instanceof DownstreamFrame.WatchClaimsRefused refused) {
            watches.refused(refused);
        }
    }

    private void tell(List<KeepAliveBatches.Told> all, long now) {
        for (KeepAliveBatches.Told told : all) {
            if (streams.containsKey(told.client().number())) {
                out.toClient(told.client().number(), told.frame());
            }
        }
        sendKeepAlives(now); // what waited for room
    }

    /** The link ended, or could not be opened. */
    public void upstreamClosed(long which, long now) {
        if (ShardCalls.isLink(which)) {
            shardCalls.closed(which, now);
        } else if (link.isPresent(which)) {
            link.end();
            interruptAll("the connection to the leader " + link.leader() + " ended");
            link.reopenLater(now);
        }
    }

    private void openLink(long now) {
        String leader = link.leader();
        if (leader != null) {
            out.openUpstream(link.open(now), leader);
        }
    }

    private void closeLink(String reason) {
        if (link.exists()) {
            out.closeUpstream(link.number());
            link.end();
            interruptAll(reason);
        }
    }

    private void interruptAll(String reason) {
        keepAlives.linkEnded();
        watches.linkEnded();
        String leader = link.leader();
        String hint = leader == null ? null : config.clientAddresses().get(leader);
        for (ClientStream client : streams.values()) {
            if (client.interrupt()) {
                out.toClient(client.number(), new ServerFrame.Interrupted(reason, hint));
            }
        }
    }

    // ---- time

    /** Does what is due. */
    public void tick(long now) {
        keepAlives.look(now);
        sendKeepAlives(now);
        if (link.openTimedOut(now)) {
            closeLink("the leader " + link.leader() + " does not answer");
            link.reopenLater(now);
        }
        if (link.reopenDue(now)) {
            openLink(now);
        }
        WaitingFrames.Waiting first = waiting.peek();
        while (first != null && now - first.arrivedNanos() >= config.times().maxWaitNanos()) {
            waiting.poll();
            expire(first.stream(), first.frame());
            first = waiting.peek();
        }
        shardCalls.tick(now);
    }

    /** Refuses a frame that waited too long; what waits behind an open or attach depends on it and goes with it. */
    private void expire(long stream, ClientFrame frame) {
        refuseUnavailable(stream, frame);
        if (frame instanceof ClientFrame.Open || frame instanceof ClientFrame.Attach) {
            waiting.removeStream(stream).forEach(behind -> refuseUnavailable(stream, behind));
        }
    }

    private void refuseUnavailable(long stream, ClientFrame frame) {
        if (frame instanceof ClientFrame.KeepAlive
                || frame instanceof ClientFrame.EndingAck
                || frame instanceof ClientFrame.CacheAck) {
            return;
        }
        String leader = link.leader();
        String message = leader == null
                ? "no leader is known at " + config.replica()
                : "the leader " + leader + " cannot be reached from " + config.replica();
        out.toClient(stream, Frames.refusal(frame, ErrorCode.UNAVAILABLE, message + "; try again"));
    }

    /** When {@link #tick} has something to do next, {@code Long.MAX_VALUE} if never. */
    public long nextDeadlineNanos() {
        WaitingFrames.Waiting first = waiting.peek();
        long waitEnds = first == null
                ? LeaderLink.NEVER
                : first.arrivedNanos() + config.times().maxWaitNanos();
        long next = Math.min(Math.min(waitEnds, link.nextDeadlineNanos()), shardCalls.nextDeadlineNanos());
        boolean mayBeBound = link.isOpen() && !streams.isEmpty();
        return mayBeBound ? Math.min(next, keepAlives.nextDeadlineNanos()) : next;
    }

    // ---- for metrics

    public int clients() {
        return streams.size();
    }

    /** Whether frames go to a leader just now. */
    public boolean hasLink() {
        return link.isOpen();
    }

    public int framesWaiting() {
        return waiting.size() + shardCalls.framesWaiting();
    }
}
