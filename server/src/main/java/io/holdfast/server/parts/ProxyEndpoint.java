package io.holdfast.server.parts;

import io.holdfast.model.Shards;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.proxy.core.FrontEndConfig;
import io.holdfast.proxy.grpc.ClientService;
import io.holdfast.proxy.grpc.FrontEndLoop;
import io.holdfast.proxy.grpc.GrpcUpstream;
import io.holdfast.server.metrics.ProxyMetrics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The port for clients of a proxy: a front end that reaches all replicas over the network.
 *
 * <p><b>Thread:</b> each method says which. {@link #found} comes before all others that have an effect.
 */
public final class ProxyEndpoint implements AutoCloseable {
    /** A proxy that is told to end waits so long for its clients to move. */
    public static final long DRAIN_MILLIS = 10_000;

    private static final long SPREAD_MILLIS = 3_000;
    /** Forwarded, a frame is a little larger, and still fits into what a replica reads from its client port. */
    private static final int MAX_CLIENT_MESSAGE_BYTES = WireThreads.MAX_CLIENT_MESSAGE_BYTES - (64 << 10);

    private final String name;
    private final WireThreads threads;
    private final FileLimit files;
    private final GrpcUpstream upstream;
    private volatile @Nullable FrontEndLoop loop;
    private volatile @Nullable ClientService clients;
    private volatile @Nullable ClientPort port;
    private boolean closed;

    /** @param name that clients are told */
    public ProxyEndpoint(String name, WireThreads threads, FileLimit files) {
        this.name = name;
        this.threads = threads;
        this.files = files;
        this.upstream = GrpcUpstream.listening(threads);
    }

    /** Of which cell it is a front end; again if that cell was set up anew. The network's thread. */
    public void found(String cell, String deployment, Shards shards) {
        FrontEndConfig config = FrontEndConfig.of(cell, deployment, name).withStreams(files.clients());
        FrontEndLoop running = loop;
        if (running != null) {
            running.cellReplaced(config, shards);
            return;
        }
        FrontEndLoop fresh = new FrontEndLoop(config, shards, upstream, threads.next());
        clients = new ClientService(fresh, threads);
        loop = fresh;
        fresh.start();
    }

    /**
     * Listens. Any thread but the network's.
     *
     * @throws StartFailedException if the port cannot be used
     */
    public synchronized void listen(Binding binding) {
        FrontEndLoop running = loop;
        ClientService service = clients;
        if (closed || running == null || service == null) {
            return;
        }
        port = ClientPort.open(
                binding,
                threads.clientServer(binding.socketAddress(), files.clients())
                        .maxInboundMessageSize(MAX_CLIENT_MESSAGE_BYTES),
                running,
                List.of(service.service()));
    }

    /** Where a replica takes links. The network's thread. */
    public void located(String replica, String address) {
        upstream.setReplica(replica, address);
    }

    /** Who leads. The network's thread. */
    public void leaderKnown(@Nullable String leader, long term) {
        FrontEndLoop running = loop;
        if (running != null) {
            running.leaderKnown(leader, term);
        }
    }

    /** Who leads a shard. The network's thread. */
    public void leaderKnown(String shard, @Nullable String leader, long term) {
        FrontEndLoop running = loop;
        if (running != null) {
            running.leaderKnown(shard, leader, term);
        }
    }

    /** For metrics; any thread. */
    public ProxyMetrics.Figures figures() {
        FrontEndLoop running = loop;
        ClientService service = clients;
        if (running == null || service == null) {
            return new ProxyMetrics.Figures(0, 0, 0, 0, 0, 0, false);
        }
        FrontEndLoop.Traffic traffic = running.traffic();
        return new ProxyMetrics.Figures(
                running.clients(),
                service.slowClients(),
                traffic.toLeader(),
                traffic.toClients(),
                traffic.links(),
                traffic.waiting(),
                traffic.hasLink());
    }

    /** Has the clients move elsewhere and waits for them, {@link #DRAIN_MILLIS} at most. Any thread but the network's. */
    public void drain() {
        ClientPort open = port;
        if (open != null) {
            open.drain(name + " is shutting down", SPREAD_MILLIS, DRAIN_MILLIS);
        }
    }

    /** Blocks for a bounded time. */
    @Override
    public synchronized void close() {
        closed = true;
        ClientPort open = port;
        FrontEndLoop running = loop;
        if (open != null) {
            open.close();
        } else if (running != null) {
            running.close();
        }
    }
}
