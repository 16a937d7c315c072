package io.holdfast.simulation.process;

import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.proxy.core.FrontEnd;
import io.holdfast.proxy.core.FrontEndConfig;
import io.holdfast.simulation.check.KeepAlivesCheck;
import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.network.Stream;
import io.holdfast.simulation.network.StreamEnd;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The service's front end in a replica or proxy process, with simulated streams to its clients and to the leader. */
final class FrontEndHost {
    private final SimNetwork network;
    private final KeepAlivesCheck keepAlives;
    private final EndpointProcess process;
    private final List<SimReplica> replicas;
    /** The leader's side in the same process; null in a proxy. */
    private final @Nullable UpstreamLinks links;

    private final FrontEnd frontEnd;
    private final Map<Long, Stream> clients = new TreeMap<>();
    private final Map<Long, Stream> upstreams = new TreeMap<>();
    /** When something was heard last on each link of a proxy. */
    private final Map<Long, Long> heardNanos = new TreeMap<>();

    private long nextStream = 1;

    /** @param links the leader's side of links to this process; null if it is no replica */
    FrontEndHost(
            SimNetwork network,
            EndpointProcess process,
            @Nullable UpstreamLinks links,
            List<SimReplica> replicas,
            Shards shards) {
        this.network = network;
        this.keepAlives = new KeepAlivesCheck(process.coverage(), process.name());
        this.process = process;
        this.replicas = replicas;
        this.links = links;
        TreeMap<String, String> addresses = new TreeMap<>();
        if (links != null) {
            replicas.forEach(peer -> addresses.put(peer.name(), peer.name()));
        }
        FrontEndConfig defaults = FrontEndConfig.of(SimReplica.CELL.value(), SimReplica.DEPLOYMENT, process.name());
        this.frontEnd = new FrontEnd(
                new FrontEndConfig(
                        defaults.cell(),
                        defaults.deployment(),
                        defaults.replica(),
                        addresses,
                        defaults.bounds(),
                        defaults.times()),
                shards,
                new Output());
    }

    /** The leader's side, for the links of all front ends. */
    UpstreamLinks requireLinks() {
        return java.util.Objects.requireNonNull(links, "a proxy leads nothing");
    }

    void drain(long spreadMillis) {
        frontEnd.drain("drains", spreadMillis);
    }

    int clients() {
        return frontEnd.clients();
    }

    /** Gives links up on which nothing was heard for so long; only those of a proxy, which asks for that. */
    void lookAtLinks(long silenceNanos) {
        for (Map.Entry<Long, Long> heard : List.copyOf(heardNanos.entrySet())) {
            if (process.localNanos() - heard.getValue() > silenceNanos) {
                process.world.coverage().seen(Seen.PROXY_LINK_SILENT);
                heardNanos.remove(heard.getKey());
                Stream silent = upstreams.remove(heard.getKey());
                if (silent != null) {
                    silent.closeFromOpener();
                }
                frontEnd.upstreamClosed(heard.getKey(), process.localNanos());
            }
        }
    }

    void tick() {
        frontEnd.tick(process.localNanos());
    }

    long nextDeadlineNanos() {
        return frontEnd.nextDeadlineNanos();
    }

    void leaderKnown(@Nullable String leader, long term) {
        frontEnd.leaderKnown(leader, term, process.localNanos());
        process.planWake();
    }

    void leaderKnown(CellId shard, @Nullable String leader, long term) {
        frontEnd.leaderKnown(shard.value(), leader, term, process.localNanos());
        process.planWake();
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
                    keepAlives.received(number, client, process.localNanos());
                    frontEnd.clientFrame(number, client, process.localNanos());
                } else {
                    send(clients.get(number), frame);
                    frontEnd.clientOpened(number, process.localNanos());
                }
                process.planWake();
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
                heardNanos.computeIfPresent(link, (any, before) -> process.localNanos());
                if (frame instanceof LeadersView) {
                    return; // somebody is there
                }
                if (frame instanceof DownstreamFrame downstream) {
                    keepAlives.answered(downstream);
                    frontEnd.downstream(link, downstream, process.localNanos());
                } else {
                    frontEnd.upstreamOpened(link);
                }
                process.planWake();
            }

            @Override
            public void closed() {
                upstreams.remove(link);
                heardNanos.remove(link);
                frontEnd.upstreamClosed(link, process.localNanos());
                process.planWake();
            }
        };
    }

    private void connect(long link, String leader) {
        for (SimReplica peer : replicas) {
            if (!peer.name().equals(leader)) {
                continue;
            }
            if (!peer.isAlive()) {
                if (network.canReach(peer.hostId(), process.hostId())) {
                    process.later(World.MILLI, EventKind.STREAM_END, linkEnd(link)::closed);
                }
                return;
            }
            UpstreamLinks far =
                    peer == process ? requireLinks() : peer.frontEnd().requireLinks();
            long farLink = far.newLink();
            Stream stream = network.open(process, linkEnd(link), peer, far.accept(farLink));
            far.opened(farLink, stream);
            upstreams.put(link, stream);
            stream.sendFromOpener(SimReplica.CONNECT);
            if (links == null) {
                process.world.coverage().seen(Seen.PROXY_LINK_OPENED);
                heardNanos.put(link, process.localNanos());
                stream.sendFromOpener(UpstreamLinks.FOLLOW);
            }
        }
    }

    /** What the front end wants done; streams carry it later, so nothing calls back from within. */
    private final class Output implements FrontEnd.Output {
        @Override
        public void toClient(long stream, ServerFrame frame) {
            keepAlives.told(stream, frame);
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
            if (link > 0) { // else it is for shards, which have no sessions
                keepAlives.linked();
            }
            connect(link, leaderReplica);
        }

        @Override
        public void toUpstream(long link, UpstreamFrame frame) {
            keepAlives.sent(frame, process.localNanos());
            Stream stream = upstreams.get(link);
            if (stream != null) {
                stream.sendFromOpener(frame);
            }
        }

        @Override
        public void closeUpstream(long link) {
            Stream stream = upstreams.remove(link);
            heardNanos.remove(link);
            if (stream != null) {
                stream.closeFromOpener();
            }
        }
    }
}
