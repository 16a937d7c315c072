package io.holdfast.protocol.grpc;

import io.grpc.ManagedChannel;
import io.grpc.ServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.holdfast.model.Limits;
import java.net.SocketAddress;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The few network threads of a process, shared by all its servers and channels, and the settings these have in common.
 *
 * <p>Handlers run on these threads directly, so they must never block.
 *
 * <p><b>Thread:</b> any.
 */
public final class WireThreads implements AutoCloseable {
    /** Largest message that is read: a batch, and room for one frame that had to travel alone. */
    public static final int MAX_MESSAGE_BYTES = 2 * Limits.MAX_BATCH_BYTES;

    /** Largest message that is read from a client: it still fits into one when it is forwarded. */
    public static final int MAX_CLIENT_MESSAGE_BYTES = MAX_MESSAGE_BYTES - (64 << 10);

    /** An idle connection whose other side vanished without a word is noticed after about twice this time. */
    private static final int KEEP_ALIVE_SECONDS = 10;

    private static final int PEER_CONNECT_MILLIS = 1_000;

    /** Connections that may wait to be accepted, if the system allows so many. */
    private static final int BACKLOG = 4_096;

    private static final int FLOW_WINDOW_BYTES = MAX_MESSAGE_BYTES;

    private final EventLoopGroup loops;

    /**
     * @param threads how many; 1 or 2 carry a replica
     * @param name of the threads, for thread dumps
     */
    public WireThreads(int threads, String name) {
        this.loops = new NioEventLoopGroup(threads, new DefaultThreadFactory(name, true));
    }

    /** One of the threads: runs tasks one after the other, and timers. */
    public ScheduledExecutorService next() {
        return loops.next();
    }

    /**
     * A new channel. It looks the name up anew and tries all addresses of it; it never repeats a call. Whoever needs a new
     * connection after a failure takes a new channel.
     *
     * @param address {@code host:port}; an IPv6 host in brackets
     */
    public ManagedChannel channel(String address) {
        return builder(address).build();
    }

    /**
     * As {@link #channel}, for a peer, which is near: each address of it is tried for a second only, as the system would go on
     * knocking ever more seldom while a network is cut, and so for seconds after it is whole again.
     */
    public ManagedChannel peerChannel(String address) {
        return builder(address)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, PEER_CONNECT_MILLIS)
                .build();
    }

    private NettyChannelBuilder builder(String address) {
        return NettyChannelBuilder.forTarget(Target.of(address))
                .eventLoopGroup(loops)
                .channelType(NioSocketChannel.class)
                .directExecutor()
                .usePlaintext()
                .disableRetry()
                .disableServiceConfigLookUp()
                .proxyDetector(target -> null)
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .flowControlWindow(FLOW_WINDOW_BYTES)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES);
    }

    /** A server that listens on {@code address}; the caller adds services. */
    public ServerBuilder<?> server(SocketAddress address) {
        return serverBuilder(address);
    }

    /**
     * As {@link #server}, for clients, who may come by the thousand at once: they are let in a few at a time (ADR 0021).
     *
     * @param most connections at a time: there is a file for each; whoever comes beyond that is disconnected at once
     */
    public ServerBuilder<?> clientServer(SocketAddress address, int most) {
        return serverBuilder(address)
                .channelFactory(() -> new PacedServerChannel(most))
                .withOption(ChannelOption.SO_BACKLOG, BACKLOG);
    }

    private NettyServerBuilder serverBuilder(SocketAddress address) {
        return NettyServerBuilder.forAddress(address)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .channelType(NioServerSocketChannel.class)
                .directExecutor()
                .permitKeepAliveTime(KEEP_ALIVE_SECONDS / 2, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(3 * KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .flowControlWindow(FLOW_WINDOW_BYTES)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES);
    }

    /** Ends the threads; returns at once. Close servers and channels first. */
    @Override
    public void close() {
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS);
    }
}
