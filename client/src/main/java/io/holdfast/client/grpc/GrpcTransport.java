package io.holdfast.client.grpc;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.IoEventLoop;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
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
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens each stream on a channel of its own, so that the name is looked up anew and all its addresses are tried (C116).
 *
 * <p>One daemon thread {@code holdfast-client} carries all its streams and runs the session; names are looked up on others ({@link
 * NetworkThreads}). They are its own, and none is left after {@link #close}, unless it was made of threads that others share.
 *
 * <p><b>Thread:</b> any.
 */
public final class GrpcTransport implements ClientTransport {
    private static final Logger log = LoggerFactory.getLogger(GrpcTransport.class);
    /** An address with its port: nothing to look up. */
    private static final Pattern ADDRESS = Pattern.compile("(\\[.*]|[0-9.]+):[0-9]+");
    /** Largest message that is read: a page of a list and its frame. */
    private static final int MAX_MESSAGE_BYTES = 2 * Limits.MAX_BATCH_BYTES;

    private static final long CLOSE_SECONDS = 2;
    /** TCP and HTTP/2 are probed when nothing was heard for so long; the session machine usually notices sooner. */
    private static final long HTTP2_PING_SECONDS = 10;

    private final NetworkThreads threads;
    private final boolean ownsThreads;
    private final IoEventLoop network;
    private final Set<GrpcStream> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public GrpcTransport() {
        this(NetworkThreads.ofOne(), true);
    }

    GrpcTransport(NetworkThreads threads, boolean ownsThreads) {
        this.threads = threads;
        this.ownsThreads = ownsThreads;
        this.network = threads.loop();
    }

    @Override
    public ClientStream open(String endpoint, StreamListener listener) {
        GrpcStream stream = new GrpcStream(listener, streams::remove);
        streams.add(stream);
        if (closed) {
            stream.end("the client is closed"); // the threads may go on for others
            return stream;
        }
        if (ADDRESS.matcher(endpoint).matches()) {
            connect(endpoint, stream);
            return stream;
        }
        try {
            threads.resolvers().execute(() -> lookUp(endpoint, stream));
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
                .offloadExecutor(threads.resolvers())
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

    /** Closes all streams, waits for none, and opens no more. */
    void giveUp() {
        closed = true;
        streams.forEach(GrpcStream::close);
    }

    @Override
    public void close() {
        giveUp();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        try {
            for (GrpcStream stream : streams) {
                stream.awaitEnd(deadline - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (ownsThreads) {
            threads.close(deadline);
        } else {
            threads.left(this);
        }
    }
}
