package io.holdfast.client.grpc;

import io.grpc.netty.shaded.io.netty.channel.IoEventLoop;
import io.grpc.netty.shaded.io.netty.channel.SingleThreadIoEventLoop;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The daemon threads behind one or several transports: some {@code holdfast-client} ones that carry streams and run sessions, each
 * made with its first task, and at most {@link #MAX_RESOLVERS} short-lived ones that look up names. None of them is shared with
 * other users of gRPC.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Source:</b> ADR 0006.
 */
public final class NetworkThreads implements AutoCloseable {
    /** Lookups that may hang at once. */
    private static final int MAX_RESOLVERS = 8;
    /** Lookups that may wait behind those, where several clients share the threads. */
    private static final int MAX_QUEUED_LOOKUPS = 10_000;

    private static final long RESOLVER_IDLE_SECONDS = 2;
    private static final long CLOSE_SECONDS = 2;
    private static final long THREAD_END_MILLIS = 500;

    private final List<IoEventLoop> loops = new ArrayList<>();
    /** Those that were made. */
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

    /** On threads that are shared: those that are not closed. */
    private final Set<GrpcTransport> transports = ConcurrentHashMap.newKeySet();

    private final ThreadPoolExecutor resolvers;
    private final AtomicInteger next = new AtomicInteger();

    private NetworkThreads(int count, ThreadPoolExecutor resolvers) {
        this.resolvers = resolvers;
        for (int i = 0; i < count; i++) {
            loops.add(new SingleThreadIoEventLoop(null, this::newThread, NioIoHandler.newFactory()));
        }
    }

    /** One, for one transport. A lookup waits for nobody: if too many hang, the next one fails. */
    static NetworkThreads ofOne() {
        return new NetworkThreads(1, resolvers(0, new SynchronousQueue<>()));
    }

    /** Several for any number of transports, which take turns. */
    public static NetworkThreads shared(int count) {
        ThreadPoolExecutor resolvers = resolvers(MAX_RESOLVERS, new LinkedBlockingQueue<>(MAX_QUEUED_LOOKUPS));
        resolvers.allowCoreThreadTimeOut(true);
        return new NetworkThreads(count, resolvers);
    }

    private static ThreadPoolExecutor resolvers(int core, BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(
                core,
                MAX_RESOLVERS,
                RESOLVER_IDLE_SECONDS,
                TimeUnit.SECONDS,
                queue,
                new DefaultThreadFactory("holdfast-client-dns", true));
    }

    private Thread newThread(Runnable task) {
        Thread thread = new DefaultThreadFactory("holdfast-client", true).newThread(task);
        threads.add(thread);
        return thread;
    }

    /** A transport on these threads; closing it leaves them to the others. */
    public GrpcTransport transport() {
        GrpcTransport transport = new GrpcTransport(this, false);
        transports.add(transport);
        return transport;
    }

    /** A transport was closed. */
    void left(GrpcTransport transport) {
        transports.remove(transport);
    }

    /** The next one's. */
    IoEventLoop loop() {
        return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }

    ThreadPoolExecutor resolvers() {
        return resolvers;
    }

    /** Ends them all, after a few seconds at most; what runs on them ends as if the process did. */
    @Override
    public void close() {
        transports.forEach(GrpcTransport::giveUp); // streams cannot be ended without the threads
        close(System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS));
    }

    void close(long deadlineNanos) {
        resolvers.shutdownNow();
        for (IoEventLoop loop : loops) {
            var unused = loop.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        }
        try {
            for (IoEventLoop loop : loops) {
                loop.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            for (Thread thread : threads) {
                thread.join(THREAD_END_MILLIS); // a loop says that it has ended just before its thread does
            }
            resolvers.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            for (IoEventLoop loop : loops) {
                var unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            }
            Thread.currentThread().interrupt();
        }
    }
}
