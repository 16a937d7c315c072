package io.holdfast.simulation.network;

import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;

/**
 * Who can reach whom, and how long it takes.
 *
 * <p>Frames between replicas ({@link #sendFrame}) may be dropped, repeated, delayed and reordered. Streams ({@link Stream})
 * are ordered and reliable until they are cut. A broken path drops frames and silently holds streams back.
 */
public final class SimNetwork {
    private static final int MAX_HOSTS = 64;

    private final World world;
    private final Rng rng;
    private NetworkConfig config;
    private final boolean[][] broken = new boolean[MAX_HOSTS][MAX_HOSTS];
    private final long[][] lastFrameAt = new long[MAX_HOSTS][MAX_HOSTS];
    private final long[][] slowness = new long[MAX_HOSTS][MAX_HOSTS];
    private final List<Stream> streams = new ArrayList<>();
    private int nextStreamId = 1;

    public SimNetwork(World world, NetworkConfig config) {
        this.world = world;
        this.rng = world.rng();
        this.config = config;
    }

    public void configure(NetworkConfig newConfig) {
        config = newConfig;
    }

    World world() {
        return world;
    }

    /** Breaks the path from one host to another, this direction only. */
    public void breakPath(int from, int to) {
        broken[from][to] = true;
    }

    /** Adds to the one-way time from one host to another. */
    public void slowDown(int from, int to, long extraNanos) {
        slowness[from][to] = extraNanos;
    }

    /** All paths work again; what streams held back flows. */
    public void heal() {
        for (boolean[] row : broken) {
            java.util.Arrays.fill(row, false);
        }
        for (long[] row : slowness) {
            java.util.Arrays.fill(row, 0);
        }
        flushStreams();
    }

    /** Repairs the paths of one host. */
    public void healHost(int host) {
        for (int other = 0; other < MAX_HOSTS; other++) {
            broken[host][other] = false;
            broken[other][host] = false;
            slowness[host][other] = 0;
            slowness[other][host] = 0;
        }
        flushStreams();
    }

    private void flushStreams() {
        streams.removeIf(Stream::isOver);
        for (Stream stream : List.copyOf(streams)) {
            stream.pathRestored();
        }
    }

    public boolean canReach(int from, int to) {
        return !broken[from][to];
    }

    long latency(int from, int to) {
        if (from == to) {
            return rng.below(20 * World.MICRO) + World.MICRO;
        }
        long usual = config.latencyNanos();
        return usual / 2 + rng.below(usual) + slowness[from][to];
    }

    /** Sends a frame from replica to replica; {@code arrival} runs in the receiver's process each time it arrives. */
    public void sendFrame(Host from, Host to, Runnable arrival) {
        if (!canReach(from.hostId(), to.hostId())) {
            return;
        }
        if (rng.chance(config.dropChance())) {
            world.coverage().seen(Seen.FRAME_DROPPED);
            return;
        }
        int copies = 1;
        if (rng.chance(config.repeatChance())) {
            world.coverage().seen(Seen.FRAME_REPEATED);
            copies = 2;
        }
        for (int i = 0; i < copies; i++) {
            long delay = latency(from.hostId(), to.hostId());
            if (rng.chance(config.delayChance())) {
                world.coverage().seen(Seen.FRAME_DELAYED);
                delay += rng.below(config.longDelayNanos() + 1);
            }
            scheduleFrame(from, to, world.nowNanos() + delay, arrival);
        }
    }

    private void scheduleFrame(Host from, Host to, long wanted, Runnable arrival) {
        long last = lastFrameAt[from.hostId()][to.hostId()];
        long at = wanted;
        if (wanted < last) {
            if (config.reorder()) {
                world.coverage().seen(Seen.FRAME_REORDERED);
            } else {
                at = last;
            }
        }
        lastFrameAt[from.hostId()][to.hostId()] = Math.max(last, at);
        long life = to.life();
        world.at(at, EventKind.PEER_FRAME, to.hostId(), () -> {
            if (to.isAlive() && to.life() == life && canReach(from.hostId(), to.hostId())) {
                to.deliver(arrival);
            }
        });
    }

    /**
     * Tells {@code to} that its connection from the dead {@code from} is closed, if the news can get there.
     */
    public void closeConnection(Host from, Host to, Runnable arrival) {
        if (!canReach(from.hostId(), to.hostId())) {
            return;
        }
        long life = to.life();
        world.after(latency(from.hostId(), to.hostId()), EventKind.PEER_CLOSED, to.hostId(), () -> {
            if (to.isAlive() && to.life() == life && canReach(from.hostId(), to.hostId())) {
                world.coverage().seen(Seen.PEER_CONNECTION_CLOSED);
                to.deliver(arrival);
            }
        });
    }

    /** Opens a stream between two living processes; the ends' callbacks run in their own process. */
    public Stream open(Host a, StreamEnd endOfA, Host b, StreamEnd endOfB) {
        Stream stream = new Stream(this, nextStreamId++, a, endOfA, b, endOfB);
        if (streams.size() > 64) {
            streams.removeIf(Stream::isOver);
        }
        streams.add(stream);
        return stream;
    }

    /** Streams that are still open, in the order in which they were opened. */
    public List<Stream> openStreams() {
        streams.removeIf(Stream::isOver);
        return List.copyOf(streams);
    }

    /** A process died: its streams end, and the other ends learn it if the news can get there. */
    public void hostDied(Host host) {
        for (Stream stream : openStreams()) {
            if (stream.touches(host)) {
                stream.hostDied(host);
            }
        }
    }
}
