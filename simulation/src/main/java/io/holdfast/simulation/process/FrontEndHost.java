package io.holdfast.simulation.process;

import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.proxy.core.FrontEnd;
import io.holdfast.proxy.core.FrontEndConfig;
import io.holdfast.simulation.check.StoppedStreams;
import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.network.Stream;
import io.holdfast.simulation.network.StreamEnd;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The service's front end in a replica process, with simulated streams to its clients and to the leader. */
final class FrontEndHost {
    private final SimNetwork network;
    private final SimReplica replica;
    private final List<SimReplica> peers;
    private final UpstreamLinks links;
    private final FrontEnd frontEnd;
    private final Map<Long, Stream> clients = new TreeMap<>();
    private final Map<Long, Stream> upstreams = new TreeMap<>();
    private long nextStream = 1;

    FrontEndHost(SimNetwork network, SimReplica replica, List<SimReplica> peers, StoppedStreams checks) {
        this.network = network;
        this.replica = replica;
        this.peers = peers;
        this.links = new UpstreamLinks(replica, checks);
        TreeMap<String, String> addresses = new TreeMap<>();
        peers.forEach(peer -> addresses.put(peer.name(), peer.name()));
        FrontEndConfig defaults = FrontEndConfig.of(SimReplica.CELL.value(), SimReplica.DEPLOYMENT, replica.name());
        this.frontEnd = new FrontEnd(
                new FrontEndConfig(
                        defaults.cell(),
                        defaults.deployment(),
                        defaults.replica(),
                        addresses,
                        defaults.bounds(),
                        defaults.times()),
                replica.shards(),
                new Output());
    }

    /** The leader's side, for the links of all front ends. */
    UpstreamLinks links() {
        return links;
    }

    void tick() {
        frontEnd.tick(replica.localNanos());
    }

    long nextDeadlineNanos() {
        return frontEnd.nextDeadlineNanos();
    }

    void leaderKnown(@Nullable String leader, long term) {
        frontEnd.leaderKnown(leader, term, replica.localNanos());
        replica.planWake();
    }

    void leaderKnown(CellId shard, @Nullable String leader, long term) {
        frontEnd.leaderKnown(shard.value(), leader, term, replica.localNanos());
        replica.planWake();
    }

    long newStream() {
        return nextStream++;
    }

    void opened(long number, Stream stream) {
        clients.put(number, stream);
    }

    /** The front end's side of a new client stream; {@link #opened} must follow. */
    StreamEnd accept(long number) {
        return new StreamEnd() {
            @Override
            public void received(Object frame) {
                if (frame instanceof ClientFrame client) {
                    frontEnd.clientFrame(number, client, replica.localNanos());
                } else {
                    send(clients.get(number), frame);
                    frontEnd.clientOpened(number, replica.localNanos());
                }
                replica.planWake();
            }

            @Override
            public void closed() {
                clients.remove(number);
                frontEnd.clientClosed(number);
            }
        };
    }

    private static void send(@Nullable Stream stream, Object frame) {
        if (stream != null) {
            stream.sendFromAcceptor(frame);
        }
    }

    /** Our side of a link to the leader. */
    private StreamEnd linkEnd(long link) {
        return new StreamEnd() {
            @Override
            public void received(Object frame) {
                if (frame instanceof DownstreamFrame downstream) {
                    frontEnd.downstream(link, downstream, replica.localNanos());
                } else {
                    frontEnd.upstreamOpened(link);
                }
                replica.planWake();
            }

            @Override
            public void closed() {
                upstreams.remove(link);
                frontEnd.upstreamClosed(link, replica.localNanos());
                replica.planWake();
            }
        };
    }

    private void connect(long link, String leader) {
        for (SimReplica peer : peers) {
            if (!peer.name().equals(leader)) {
                continue;
            }
            if (!peer.isAlive()) {
                if (network.canReach(peer.hostId(), replica.hostId())) {
                    replica.later(World.MILLI, EventKind.STREAM_END, linkEnd(link)::closed);
                }
                return;
            }
            UpstreamLinks far = peer == replica ? links : peer.frontEnd().links();
            long farLink = far.newLink();
            Stream stream = network.open(replica, linkEnd(link), peer, far.accept(farLink));
            far.opened(farLink, stream);
            upstreams.put(link, stream);
            stream.sendFromOpener(SimReplica.CONNECT);
        }
    }

    /** What the front end wants done; streams carry it later, so nothing calls back from within. */
    private final class Output implements FrontEnd.Output {
        @Override
        public void toClient(long stream, ServerFrame frame) {
            send(clients.get(stream), frame);
        }

        @Override
        public void closeClient(long stream, String reason) {
            Stream closing = clients.remove(stream);
            if (closing != null) {
                closing.closeFromAcceptor();
            }
        }

        @Override
        public void openUpstream(long link, String leaderReplica) {
            connect(link, leaderReplica);
        }

        @Override
        public void toUpstream(long link, UpstreamFrame frame) {
            Stream stream = upstreams.get(link);
            if (stream != null) {
                stream.sendFromOpener(frame);
            }
        }

        @Override
        public void closeUpstream(long link) {
            Stream stream = upstreams.remove(link);
            if (stream != null) {
                stream.closeFromOpener();
            }
        }
    }
}
