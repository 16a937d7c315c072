package io.holdfast.proxy.grpc;

import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.link.LinkListener;
import io.holdfast.protocol.link.UpstreamConnection;
import io.holdfast.protocol.link.UpstreamDialer;
import io.holdfast.protocol.loop.Turns;
import io.holdfast.proxy.core.FrontEnd;
import io.holdfast.proxy.core.FrontEndConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link FrontEnd} on one thread, which it shares with the network (ADR 0006).
 *
 * <p><b>Thread:</b> any; every method returns at once, what it asks for happens on the loop's thread in the order asked.
 *
 * <p><b>Invariants:</b> what waits is bounded: clients send no more than their windows allow, and a link that delivers more
 * than {@link #MAX_DOWNSTREAM_WAITING} frames ahead of this loop is ended.
 */
public final class FrontEndLoop implements AutoCloseable {
    static final int MAX_DOWNSTREAM_WAITING = 100_000;

    private static final Logger log = LoggerFactory.getLogger(FrontEndLoop.class);
    private static final int TASKS_PER_TURN = 1_000;

    private final UpstreamDialer dialer;
    private final FrontEnd frontEnd;
    private final Turns turns;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    private final AtomicLong lastStream = new AtomicLong();
    private final AtomicInteger downstreamWaiting = new AtomicInteger();
    private final long originNanos = System.nanoTime();
    /** Counted down when it has stopped. */
    private final CountDownLatch end = new CountDownLatch(1);

    /** Loop thread only. */
    private final Map<Long, ClientSink> sinks = new HashMap<>();
    /** Loop thread only. */
    private final Map<Long, UpstreamConnection> connections = new HashMap<>();
    /** Loop thread only. */
    private boolean stopped;

    private volatile int clients;
    private volatile Traffic traffic = new Traffic(0, 0, 0, 0, false);
    /** Loop thread only. */
    private final Counts counts = new Counts();
    /** Loop thread only. */
    private boolean draining;
    /** Completes when all clients have gone after {@link #drain}. */
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    /**
     * What went through, for metrics.
     *
     * @param toLeader frames that were forwarded
     * @param toClients frames that were delivered
     * @param links opened so far
     * @param waiting frames that wait for a leader
     * @param hasLink whether frames go to a leader just now
     */
    public record Traffic(long toLeader, long toClients, long links, int waiting, boolean hasLink) {}

    private static final class Counts {
        long toLeader;
        long toClients;
        long links;
    }

    /** For a deployment without shards. */
    public FrontEndLoop(FrontEndConfig config, UpstreamDialer dialer, ScheduledExecutorService executor) {
        this(config, Shards.NONE, dialer, executor);
    }

    /** @param executor one thread, which nothing may block */
    public FrontEndLoop(
            FrontEndConfig config, Shards shards, UpstreamDialer dialer, ScheduledExecutorService executor) {
        this.dialer = dialer;
        this.frontEnd = new FrontEnd(config, shards, new LoopOutput());
        this.turns = new Turns(executor, this::turn, end::countDown);
    }

    public void start() {
        turns.start();
    }

    private void post(Runnable task) {
        tasks.add(task);
        turns.ask();
    }

    /** Who leads the cell, as the local replica's listener hears it; see {@link FrontEnd#leaderKnown}. */
    public void leaderKnown(@Nullable String leaderReplica, long term) {
        post(() -> frontEnd.leaderKnown(leaderReplica, term, now()));
    }

    /** Who leads a shard; see {@link FrontEnd#leaderKnown(String, String, long, long)}. */
    public void leaderKnown(String shardCell, @Nullable String leaderReplica, long term) {
        post(() -> frontEnd.leaderKnown(shardCell, leaderReplica, term, now()));
    }

    /** Brings a client and returns the number of its stream. */
    public long clientOpened(ClientSink sink) {
        long stream = lastStream.incrementAndGet();
        post(() -> {
            sinks.put(stream, sink);
            frontEnd.clientOpened(stream, now());
        });
        return stream;
    }

    /**
     * A frame from a client.
     *
     * @param taken runs on the loop's thread when the frame no longer waits for the loop
     */
    public void clientFrame(long stream, ClientFrame frame, Runnable taken) {
        post(() -> {
            frontEnd.clientFrame(stream, frame, now());
            taken.run();
        });
    }

    /** A frame from a client could not be read. */
    public void clientRefused(long stream, ServerFrame.Refused refusal, Runnable taken) {
        post(() -> {
            frontEnd.clientRefused(stream, refusal);
            taken.run();
        });
    }

    /** The client is gone; its sink is not used any more once this was handled. */
    public void clientClosed(long stream) {
        post(() -> {
            sinks.remove(stream);
            frontEnd.clientClosed(stream);
        });
    }

    /** The cell was set up anew; see {@link FrontEnd#cellReplaced}. */
    public void cellReplaced(FrontEndConfig fresh, Shards shards) {
        post(() -> frontEnd.cellReplaced(fresh, shards));
    }

    /**
     * Asks all clients to move elsewhere; see {@link FrontEnd#drain}.
     *
     * @return completes, on the loop's thread, when none is left
     */
    public CompletableFuture<Void> drain(String reason, long spreadMillis) {
        post(() -> {
            draining = true;
            frontEnd.drain(reason, spreadMillis);
        });
        return drained;
    }

    /** As of the last turn. */
    public Traffic traffic() {
        return traffic;
    }

    /** Number of clients, for metrics. */
    public int clients() {
        return clients;
    }

    /** Ends all client streams and the link, then the thread; waits a second for it at most. */
    @Override
    public void close() {
        post(() -> {
            stopped = true;
            sinks.values().forEach(sink -> sink.close("the server is shutting down"));
            sinks.clear();
            connections.values().forEach(UpstreamConnection::close);
            connections.clear();
        });
        try {
            end.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long turn() {
        for (int i = 0; i < TASKS_PER_TURN && !stopped; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            guarded(task);
        }
        if (stopped) {
            turns.stop();
            end.countDown();
            return Long.MAX_VALUE;
        }
        if (now() >= frontEnd.nextDeadlineNanos()) {
            guarded(() -> frontEnd.tick(now()));
        }
        clients = frontEnd.clients();
        traffic = new Traffic(
                counts.toLeader, counts.toClients, counts.links, frontEnd.framesWaiting(), frontEnd.hasLink());
        if (draining && clients == 0) {
            drained.complete(null);
        }
        long deadline = frontEnd.nextDeadlineNanos();
        if (!tasks.isEmpty()) {
            return 0;
        }
        return deadline == Long.MAX_VALUE ? deadline : deadline - now();
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) { // an error too must not cost the turn its timer
            log.error("a bug in the front end; it goes on with the next event", e);
        }
    }

    private long now() {
        return System.nanoTime() - originNanos;
    }

    /** Carries out what the front end wants; on the loop's thread. */
    private final class LoopOutput implements FrontEnd.Output {
        @Override
        public void toClient(long stream, ServerFrame frame) {
            ClientSink sink = sinks.get(stream);
            if (sink != null) {
                counts.toClients++;
                sink.send(frame);
            }
        }

        @Override
        public void closeClient(long stream, String reason) {
            ClientSink sink = sinks.remove(stream);
            if (sink != null) {
                sink.close(reason);
            }
        }

        @Override
        public void openUpstream(long link, String leaderReplica) {
            log.debug("front end connects to leader {} (link {})", leaderReplica, link);
            counts.links++;
            connections.put(link, dialer.dial(leaderReplica, new Listener(link)));
        }

        @Override
        public void toUpstream(long link, UpstreamFrame frame) {
            UpstreamConnection connection = connections.get(link);
            if (connection != null) {
                counts.toLeader++;
                connection.send(frame);
            }
        }

        @Override
        public void closeUpstream(long link) {
            UpstreamConnection connection = connections.remove(link);
            if (connection != null) {
                connection.close();
            }
        }
    }

    /** Turns what happens on a link into tasks. */
    private final class Listener implements LinkListener {
        private final long link;

        Listener(long link) {
            this.link = link;
        }

        @Override
        public void opened() {
            post(() -> frontEnd.upstreamOpened(link));
        }

        @Override
        public void received(DownstreamFrame frame) {
            if (downstreamWaiting.get() >= MAX_DOWNSTREAM_WAITING) {
                closed("this front end cannot keep up");
                return;
            }
            downstreamWaiting.incrementAndGet();
            post(() -> {
                downstreamWaiting.decrementAndGet();
                frontEnd.downstream(link, frame, now());
            });
        }

        @Override
        public void closed(String reason) {
            post(() -> {
                UpstreamConnection connection = connections.remove(link);
                if (connection != null) {
                    log.debug("link {} to the leader ended: {}", link, reason);
                    connection.close();
                }
                frontEnd.upstreamClosed(link, now());
            });
        }
    }
}
