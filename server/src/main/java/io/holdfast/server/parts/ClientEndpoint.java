package io.holdfast.server.parts;

import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.proxy.core.FrontEndConfig;
import io.holdfast.proxy.grpc.ClientService;
import io.holdfast.proxy.grpc.FrontEndLoop;
import io.holdfast.proxy.grpc.GrpcUpstream;
import io.holdfast.proxy.grpc.UpstreamRouter;
import io.holdfast.replica.ReplicaStatus;
import io.holdfast.replica.grpc.LeadersService;
import io.holdfast.server.config.HostPort;
import java.util.List;
import java.util.Map;

/**
 * The port for clients: a front end beside one replica, which takes clients to the leader wherever that is.
 *
 * <p><b>Thread:</b> one starts and stops it; both block for a bounded time.
 */
public final class ClientEndpoint implements AutoCloseable {
    /** Replicas end soon, as others wait for their place in the cell. */
    private static final long SPREAD_MILLIS = 500;

    private static final long DRAIN_MILLIS = 1_500;

    private final FrontEndLoop loop;
    private final LeadersService leaders;
    private final ClientPort port;

    private ClientEndpoint(FrontEndLoop loop, LeadersService leaders, ClientPort port) {
        this.loop = loop;
        this.leaders = leaders;
        this.port = port;
    }

    /**
     * Listens for clients, and for proxies, which come by the same port.
     *
     * @param replica formed, running in this process
     * @param peers peer addresses of all replicas by name
     * @param files how many clients there is room for
     * @throws StartFailedException if the port cannot be used
     */
    public static ClientEndpoint start(
            Binding binding, RunningReplica replica, Map<String, HostPort> peers, FileLimit files) {
        WireThreads threads = replica.threads();
        String cell = replica.cell().value();
        GrpcUpstream remote = new GrpcUpstream(threads);
        peers.forEach((name, address) -> remote.setReplica(name, address.toString()));
        FrontEndConfig config =
                FrontEndConfig.of(cell, replica.deployment(), replica.name()).withStreams(files.clients());
        FrontEndLoop loop = new FrontEndLoop(
                config,
                replica.shards(),
                new UpstreamRouter(replica.name(), replica.localUpstream(), remote),
                threads.next());
        LeadersService leaders =
                new LeadersService(cell, replica.shards(), replica.deployment(), replica.name(), threads.next());
        ClientPort port = ClientPort.open(
                binding,
                threads.clientServer(binding.socketAddress(), files.clients())
                        .maxInboundMessageSize(
                                WireThreads.MAX_CLIENT_MESSAGE_BYTES), // R8.4: its link to the leader is everybody's
                loop,
                List.of(new ClientService(loop, threads).service(), replica.upstreamService(), leaders.service()));
        loop.start();
        replica.listenForLeader((leader, term) -> {
            loop.leaderKnown(leader, term);
            leaders.leaderKnown(leader, term);
        });
        replica.listenForShardLeaders((shard, leader, term) -> {
            loop.leaderKnown(shard.value(), leader, term);
            leaders.leaderKnown(shard.value(), leader, term);
        });
        tellPresentLeaders(replica, loop, leaders);
        return new ClientEndpoint(loop, leaders, port);
    }

    /**
     * What was known before the listeners were there; ignored if it is older. That nobody leads is what everybody begins with: told
     * here, it could come behind the listener's word of the leader of the same term, and that would be forgotten until the next.
     */
    private static void tellPresentLeaders(RunningReplica replica, FrontEndLoop loop, LeadersService leaders) {
        for (ReplicaStatus.CellView view : replica.status().cells()) {
            if (view.leader() == null) {
                continue;
            }
            if (view.id().equals(replica.cell())) {
                loop.leaderKnown(view.leader(), view.term());
                leaders.leaderKnown(view.leader(), view.term());
            } else {
                loop.leaderKnown(view.id().value(), view.leader(), view.term());
                leaders.leaderKnown(view.id().value(), view.leader(), view.term());
            }
        }
    }

    /** Clients that are connected now. */
    public int clients() {
        return loop.clients();
    }

    /** Has the clients move to another replica or proxy; waits for them for a bounded time. */
    public void drain(String reason) {
        port.drain(reason, SPREAD_MILLIS, DRAIN_MILLIS);
    }

    @Override
    public void close() {
        leaders.close();
        port.close();
    }
}
