package io.holdfast.client.grpc;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.IoEventLoop;
import io.grpc.netty.shaded.io.netty.channel.SingleThreadIoEventLoop;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.ClientTransport;
import io.holdfast.client.transport.StreamListener;
import io.holdfast.model.Limits;
import io.holdfast.protocol.grpc.Target;
import io.holdfast.protocol.proto.HoldfastClientGrpc;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens each stream on a channel of its own, so that the name is looked up anew and all its addresses are tried (C116).
 *
 * <p>One daemon thread {@code holdfast-client} carries all streams and runs the session, and at most {@link #MAX_RESOLVERS} short-lived ones look
 * up names. None of them is shared with other users of gRPC, and none is left after {@link #close}.
 *
 * <p><b>Thread:</b> any.
 */
public final class GrpcTransport implements ClientTransport {
    private static final Logger log = LoggerFactory.getLogger(GrpcTransport.class);
    /** An address with its port: nothing to look up. */
    private static final Pattern ADDRESS = Pattern.compile("(\\[.*]|[0-9.]+):[0-9]+");
    /** Largest message that is read: a page of a list and its frame. */
    private static final int MAX_MESSAGE_BYTES = 2 * Limits.MAX_BATCH_BYTES;

    /** Lookups that may hang at once. */
    private static final int MAX_RESOLVERS = 8;

    private static final long RESOLVER_IDLE_SECONDS = 2;
    private static final long CLOSE_SECONDS = 2;
    private static final long THREAD_END_MILLIS = 500;
    /** TCP and HTTP/2 are probed when nothing was heard for so long; the session machine usually notices sooner. */
    private static final long HTTP2_PING_SECONDS = 10;

    private final IoEventLoop network;
    /** Runs {@link #network}; made with its first task. */
    private volatile @Nullable Thread networkThread;

    private final ThreadPoolExecutor resolvers;
    private final Set<GrpcStream> streams = ConcurrentHashMap.newKeySet();

    public GrpcTransport() {
        network = new SingleThreadIoEventLoop(null, this::newNetworkThread, NioIoHandler.newFactory());
        resolvers = new ThreadPoolExecutor(
                0,
                MAX_RESOLVERS,
                RESOLVER_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DefaultThreadFactory("holdfast-client-dns", true));
    }

    private Thread newNetworkThread(Runnable task) {
        Thread thread = new DefaultThreadFactory("holdfast-client", true).newThread(task);
        networkThread = thread;
        return thread;
    }

    @Override
    public ClientStream open(String endpoint, StreamListener listener) {
        GrpcStream stream = new GrpcStream(listener, streams::remove);
        streams.add(stream);
        if (ADDRESS.matcher(endpoint).matches()) {
            connect(endpoint, stream);
            return stream;
        }
        try {
            resolvers.execute(() -> lookUp(endpoint, stream));
        } catch (RejectedExecutionException e) {
            stream.end("name lookups hang, or the client is closed");
        }
        return stream;
    }

    /** Looked up here first: gRPC would log an unknown name with a stack trace, at every attempt. */
    private void lookUp(String endpoint, GrpcStream stream) {
        String host = endpoint.substring(0, endpoint.lastIndexOf(':'));
        try {
            InetAddress[] found = InetAddress.getAllByName(host);
            log.debug("{} is {}", host, found);
        } catch (UnknownHostException e) {
            stream.end("the host name " + host + " cannot be resolved");
            return;
        }
        connect(endpoint, stream);
    }

    private void connect(String endpoint, GrpcStream stream) {
        ManagedChannel channel = NettyChannelBuilder.forTarget(Target.of(endpoint))
                .eventLoopGroup(network)
                .channelType(NioSocketChannel.class)
                .executor(network)
                .offloadExecutor(resolvers)
                .usePlaintext()
                .disableRetry()
                .disableServiceConfigLookUp()
                .proxyDetector(target -> null)
                .keepAliveTime(HTTP2_PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(HTTP2_PING_SECONDS, TimeUnit.SECONDS)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .build();
        stream.connect(channel, channel.newCall(HoldfastClientGrpc.getStreamMethod(), CallOptions.DEFAULT));
    }

    @Override
    public ScheduledExecutorService executor() {
        return network;
    }

    @Override
    public void close() {
        streams.forEach(GrpcStream::close);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        try {
            for (GrpcStream stream : streams) {
                stream.awaitEnd(deadline - System.nanoTime());
            }
            resolvers.shutdownNow();
            var unused = network.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
            network.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            Thread thread = networkThread;
            if (thread != null) {
                thread.join(THREAD_END_MILLIS); // it says that it has ended just before it does
            }
            resolvers.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            var unused = network.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            Thread.currentThread().interrupt();
        }
    }
}
