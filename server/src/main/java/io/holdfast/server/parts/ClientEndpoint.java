package io.holdfast.server.parts;

import io.grpc.Server;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.proxy.core.FrontEndConfig;
import io.holdfast.proxy.grpc.ClientService;
import io.holdfast.proxy.grpc.FrontEndLoop;
import io.holdfast.proxy.grpc.GrpcUpstream;
import io.holdfast.proxy.grpc.UpstreamRouter;
import io.holdfast.replica.ReplicaStatus;
import io.holdfast.server.config.HostPort;
import java.util.Map;

/**
 * The port for clients: a front end beside one replica, which takes clients to the leader wherever that is.
 *
 * <p><b>Thread:</b> one starts and stops it; both block for a bounded time.
 */
public final class ClientEndpoint implements AutoCloseable {
    private final FrontEndLoop loop;
    private final Server server;

    private ClientEndpoint(FrontEndLoop loop, Server server) {
        this.loop = loop;
        this.server = server;
    }

    /**
     * Listens for clients.
     *
     * @param replica formed, running in this process
     * @param peers peer addresses of all replicas by name
     * @throws StartFailedException if the port cannot be used
     */
    public static ClientEndpoint start(Binding binding, RunningReplica replica, Map<String, HostPort> peers) {
        WireThreads threads = replica.threads();
        GrpcUpstream remote = new GrpcUpstream(threads);
        peers.forEach((name, address) -> remote.setReplica(name, address.toString()));
        FrontEndConfig config = FrontEndConfig.of(replica.cell().value(), replica.deployment(), replica.name());
        FrontEndLoop loop = new FrontEndLoop(
                config,
                replica.shards(),
                new UpstreamRouter(replica.name(), replica.localUpstream(), remote),
                threads.next());
        Server server = binding.start(threads.server(binding.socketAddress())
                .maxInboundMessageSize(
                        WireThreads.MAX_CLIENT_MESSAGE_BYTES) // R8.4: its link to the leader is everybody's
                .addService(new ClientService(loop, threads).service()));
        loop.start();
        replica.listenForLeader(loop::leaderKnown);
        replica.listenForShardLeaders((shard, leader, term) -> loop.leaderKnown(shard.value(), leader, term));
        tellPresentLeaders(replica, loop);
        return new ClientEndpoint(loop, server);
    }

    /** What was known before the listener was there; the front end ignores it if it is older. */
    private static void tellPresentLeaders(RunningReplica replica, FrontEndLoop loop) {
        for (ReplicaStatus.CellView view : replica.status().cells()) {
            if (view.id().equals(replica.cell())) {
                loop.leaderKnown(view.leader(), view.term());
            } else {
                loop.leaderKnown(view.id().value(), view.leader(), view.term());
            }
        }
    }

    /** Clients that are connected now. */
    public int clients() {
        return loop.clients();
    }

    @Override
    public void close() {
        server.shutdown(); // before the loop: whoever came between would get no word
        loop.close();
        Binding.stop(server);
    }
}
