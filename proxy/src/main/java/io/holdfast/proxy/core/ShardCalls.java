package io.holdfast.proxy.core;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes calls that are for shards to their leaders and the answers back. A call stands alone: no session, no order among the
 * calls of a stream, so a link that ends or a leader that changes is told to those calls only that it concerns, as a refusal
 * that says whether the call may have been done.
 *
 * <p><b>Thread:</b> as {@link FrontEnd}.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>A call is forwarded at most once (R2.7), and told exactly one answer or refusal, unless its stream has gone.
 *   <li>A refusal is definite exactly if the call was never forwarded.
 *   <li>A call waits for a leader at most a bounded time and within bounds; what was forwarded waits for its answer until the
 *       link ends, or the leader has been another, or nobody, for {@link #GRACE_NANOS}.
 *   <li>There is no link to a replica as long as nobody asks for what it leads.
 * </ol>
 *
 * <p><b>Source:</b> ADR 0015.
 */
final class ShardCalls {
    /** An old leader that lives answers or refuses all that it has, at once; later nothing of it is waited for. */
    static final long GRACE_NANOS = 250_000_000L;

    private static final long NEVER = LeaderLink.NEVER;

    /** What is known of a shard's leader. */
    private static final class Route {
        final String cell;
        final WaitingFrames waiting;

        @Nullable
        String leader;

        long term = Long.MIN_VALUE;
        /** When what was forwarded to earlier leaders is given up. */
        long graceEndsNanos = NEVER;

        Route(String cell, FrontEndConfig.Bounds bounds) {
            this.cell = cell;
            this.waiting = new WaitingFrames(bounds);
        }
    }

    /** @param term of the leader that it was forwarded to */
    private record Call(String cell, long link, long term) {}

    /** What was forwarded for a stream. */
    private static final class Calls {
        final Map<Long, Call> inFlight = new TreeMap<>();
        /** Shards that know of the stream, by link. */
        final Map<Long, TreeSet<String>> known = new TreeMap<>();
    }

    private final FrontEndConfig config;
    private final Shards shards;
    private final FrontEnd.Output out;
    private final Map<String, Route> routes = new TreeMap<>();
    /** By replica. */
    private final Map<String, ShardLink> links = new TreeMap<>();

    private final Map<Long, Calls> streams = new TreeMap<>();
    /** Counts down, so that no number is one of {@link LeaderLink}'s. */
    private long lastLink;

    /** @param lastLink of whoever came before this one, so that no number is used twice; 0 at first */
    ShardCalls(FrontEndConfig config, Shards shards, long lastLink, FrontEnd.Output out) {
        this.lastLink = lastLink;
        this.config = config;
        this.shards = shards;
        this.out = out;
        FrontEndConfig.Bounds all = config.bounds();
        FrontEndConfig.Bounds each = new FrontEndConfig.Bounds(
                all.maxStreams(),
                all.maxInFlight(),
                all.maxWaitingFrames(),
                all.maxWaitingBytes() / Math.max(1, shards.count()));
        shards.cellNames().forEach(cell -> routes.put(cell, new Route(cell, each)));
    }

    /** Whether a link's number is one of a link to shards. */
    static boolean isLink(long number) {
        return number < 0;
    }

    /** The number of the newest link, or 0. */
    long lastLink() {
        return lastLink;
    }

    /** Ends all links; the streams of whoever waits are about to be closed. */
    void close() {
        for (ShardLink link : links.values()) {
            if (link.exists()) {
                out.closeUpstream(link.number());
            }
        }
    }

    // ---- clients

    /** A client's call to a shard; see {@link ShardRoutes}. */
    void call(String cell, long stream, ClientFrame frame, long now) {
        Route route = routes.get(cell);
        if (route == null) {
            String why = "there is no cell " + cell + ": this deployment has " + shards.count() + " shards";
            out.toClient(stream, Frames.refusal(frame, ErrorCode.INVALID, why));
        } else if (!route.waiting.add(stream, frame, now)) {
            String why = "too much waits here for the leader of " + cell;
            out.toClient(stream, Frames.refusal(frame, ErrorCode.BUSY, why));
        } else {
            proceed(route, now);
        }
    }

    void clientClosed(long stream) {
        routes.values().forEach(route -> route.waiting.removeStream(stream));
        Calls calls = streams.remove(stream);
        if (calls != null) {
            calls.known.forEach((link, cells) -> cells.forEach(cell ->
                    out.toUpstream(link, new UpstreamFrame.ToCell(cell, new UpstreamFrame.StreamClosed(stream)))));
        }
    }

    /** Forwards what waits if there is an open link to the leader; dials if there is none. */
    private void proceed(Route route, long now) {
        String leader = route.leader;
        if (leader == null || route.waiting.peek() == null) {
            return;
        }
        ShardLink link = links.computeIfAbsent(leader, name -> new ShardLink(name, config.times()));
        if (link.isOpen()) {
            for (WaitingFrames.Waiting next = route.waiting.poll(); next != null; next = route.waiting.poll()) {
                forward(route, link, next.stream(), next.frame());
            }
        } else if (link.mayDial(now)) {
            lastLink--;
            link.opening(lastLink, now);
            out.openUpstream(lastLink, leader);
        }
    }

    private void forward(Route route, ShardLink link, long stream, ClientFrame frame) {
        Calls calls = streams.computeIfAbsent(stream, number -> new Calls());
        long id = Frames.idOf(frame);
        if (calls.inFlight.size() >= config.bounds().maxInFlight() || calls.inFlight.containsKey(id)) {
            String why = calls.inFlight.size() + " calls of this stream to shards are not yet answered";
            out.toClient(stream, Frames.refusal(frame, ErrorCode.BUSY, why));
            return;
        }
        calls.inFlight.put(id, new Call(route.cell, link.number(), route.term));
        calls.known.computeIfAbsent(link.number(), number -> new TreeSet<>()).add(route.cell);
        UpstreamFrame forward = new UpstreamFrame.Forward(stream, frame);
        out.toUpstream(link.number(), new UpstreamFrame.ToCell(route.cell, forward));
    }

    // ---- leaders

    /** As {@link FrontEnd#leaderKnown}, for a shard. */
    void leaderKnown(String cell, @Nullable String leader, long term, long now) {
        Route route = routes.get(cell);
        if (route == null || term < route.term) {
            return;
        }
        boolean same = term == route.term && (leader == null ? route.leader == null : leader.equals(route.leader));
        if (same) {
            return;
        }
        route.leader = leader;
        route.term = term;
        route.graceEndsNanos = now + GRACE_NANOS;
        proceed(route, now);
    }

    void opened(long number) {
        ShardLink link = linkOf(number);
        if (link != null && !link.isOpen()) {
            link.opened();
            proceedTo(link, Long.MIN_VALUE); // nothing is dialled
        }
    }

    private void proceedTo(ShardLink link, long now) {
        for (Route route : routes.values()) {
            if (link.replica().equals(route.leader)) {
                proceed(route, now);
            }
        }
    }

    private @Nullable ShardLink linkOf(long number) {
        for (ShardLink link : links.values()) {
            if (link.exists() && link.number() == number) {
                return link;
            }
        }
        return null;
    }

    void received(long number, DownstreamFrame frame, long now) {
        ShardLink link = linkOf(number);
        if (link == null) {
            return;
        }
        DownstreamFrame inner = frame instanceof DownstreamFrame.FromCell other ? other.frame() : frame;
        if (inner instanceof DownstreamFrame.Deliver deliver) {
            link.proven();
            answered(deliver.stream(), number, deliver.frame());
        } else if (inner == frame) { // it turns the whole link away, and has closed it
            end(link, "replica " + link.replica() + " ended the link", now);
        }
        // Of a leader that stepped down each call is told by itself.
    }

    private void answered(long stream, long link, ServerFrame frame) {
        Calls calls = streams.get(stream);
        long id = Frames.idOf(frame);
        Call call = calls == null ? null : calls.inFlight.get(id);
        if (calls != null && call != null && call.link() == link) {
            calls.inFlight.remove(id);
            out.toClient(stream, frame);
        }
    }

    void closed(long number, long now) {
        ShardLink link = linkOf(number);
        if (link != null) {
            ended(link, "the connection to replica " + link.replica() + " ended", now);
        }
    }

    private void end(ShardLink link, String why, long now) {
        out.closeUpstream(link.number());
        ended(link, why, now);
    }

    private void ended(ShardLink link, String why, long now) {
        long number = link.number();
        link.ended(now);
        streams.values().forEach(calls -> calls.known.remove(number));
        giveUp(call -> call.link() == number, why);
        proceedTo(link, now); // dials again when it may, if somebody waits
    }

    /** Tells that it is not known what became of these calls. */
    private void giveUp(Predicate<Call> which, String why) {
        for (Map.Entry<Long, Calls> stream : streams.entrySet()) {
            List<Long> lost = new ArrayList<>();
            Iterator<Map.Entry<Long, Call>> calls =
                    stream.getValue().inFlight.entrySet().iterator();
            while (calls.hasNext()) {
                Map.Entry<Long, Call> call = calls.next();
                if (which.test(call.getValue())) {
                    lost.add(call.getKey());
                    calls.remove();
                }
            }
            for (long id : lost) {
                String message = why + "; it is not known whether this call was carried out";
                out.toClient(stream.getKey(), new ServerFrame.Refused(id, ErrorCode.UNAVAILABLE, false, message));
            }
        }
    }

    // ---- time

    void tick(long now) {
        for (ShardLink link : List.copyOf(links.values())) {
            if (link.openTimedOut(now)) {
                end(link, "replica " + link.replica() + " does not answer", now);
            }
        }
        for (Route route : routes.values()) {
            if (now >= route.graceEndsNanos) {
                route.graceEndsNanos = NEVER;
                giveUp(
                        call -> call.cell().equals(route.cell) && (route.leader == null || call.term() < route.term),
                        "the leader of " + route.cell + " changed");
                closeUnused();
            }
            expireWaiting(route, now);
            proceed(route, now);
        }
    }

    private void expireWaiting(Route route, long now) {
        WaitingFrames.Waiting first = route.waiting.peek();
        while (first != null && now - first.arrivedNanos() >= config.times().maxWaitNanos()) {
            route.waiting.poll();
            String why = route.leader == null
                    ? "no leader of " + route.cell + " is known at " + config.replica()
                    : "the leader " + route.leader + " of " + route.cell + " cannot be reached from "
                            + config.replica();
            out.toClient(first.stream(), Frames.refusal(first.frame(), ErrorCode.UNAVAILABLE, why + "; try again"));
            first = route.waiting.peek();
        }
    }

    /** A replica that leads no shard any more needs no link; nothing is in flight there, or it would have been given up. */
    private void closeUnused() {
        for (ShardLink link : List.copyOf(links.values())) {
            boolean leads =
                    routes.values().stream().anyMatch(route -> link.replica().equals(route.leader));
            boolean awaited = routes.values().stream().anyMatch(route -> route.graceEndsNanos != NEVER);
            if (!leads && !awaited) {
                links.remove(link.replica());
                if (link.exists()) {
                    long number = link.number();
                    out.closeUpstream(number);
                    streams.values().forEach(calls -> calls.known.remove(number));
                    giveUp(call -> call.link() == number, "replica " + link.replica() + " leads no shard any more");
                }
            }
        }
    }

    long nextDeadlineNanos() {
        long deadline = NEVER;
        for (ShardLink link : links.values()) {
            deadline = Math.min(deadline, link.openDeadlineNanos());
        }
        for (Route route : routes.values()) {
            deadline = Math.min(deadline, route.graceEndsNanos);
            WaitingFrames.Waiting first = route.waiting.peek();
            if (first != null) {
                deadline =
                        Math.min(deadline, first.arrivedNanos() + config.times().maxWaitNanos());
                ShardLink link = route.leader == null ? null : links.get(route.leader);
                deadline = link == null || link.exists() ? deadline : Math.min(deadline, link.mayDialNanos());
            }
        }
        return deadline;
    }

    // ---- for metrics

    int framesWaiting() {
        int waiting = 0;
        for (Route route : routes.values()) {
            waiting += route.waiting.size();
        }
        return waiting;
    }
}
