package io.holdfast.simulation.scenario;

import io.holdfast.simulation.network.Stream;
import io.holdfast.simulation.process.SimProcess;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.run.Cluster;
import io.holdfast.simulation.run.RunConfig;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A scripted history on virtual time: a calm cell, actors, and faults at chosen moments. All checks of the simulation run
 * after every event of it.
 */
final class Story {
    static final long LEASE_MILLIS = 12_000;
    static final long MILLI = World.MILLI;
    static final long SECOND = World.SECOND;

    private final Cluster cluster;

    private Story(long seed, RunConfig config) {
        cluster = new Cluster(new World(seed, null), config);
        cluster.replicas().forEach(SimReplica::start);
        until(() -> cluster.leader() != null, 20 * SECOND);
        run(SECOND);
    }

    /** A formed cell with a leader. */
    static Story of(long seed, int replicas) {
        return new Story(seed, RunConfig.calm(replicas, LEASE_MILLIS));
    }

    /** The same with clients that cache. */
    static Story caching(long seed, int replicas) {
        return new Story(seed, RunConfig.calm(replicas, LEASE_MILLIS).caching());
    }

    Cluster cluster() {
        return cluster;
    }

    Actor actor() {
        Actor actor = new Actor(cluster.addClient(), this);
        actor.process().start();
        return actor;
    }

    /** An actor whose session has this lease. */
    Actor actor(long leaseMillis) {
        Actor actor = new Actor(cluster.addClient(leaseMillis), this);
        actor.process().start();
        return actor;
    }

    long seen(Seen what) {
        return cluster.world().coverage().count(what);
    }

    SimReplica leader() {
        return Objects.requireNonNull(cluster.leader(), "no leader");
    }

    void run(long nanos) {
        cluster.run(nanos);
    }

    /** Runs until something is so; fails if it takes longer than the bound. */
    void until(BooleanSupplier done, long boundNanos) {
        long end = cluster.world().nowNanos() + boundNanos;
        while (!done.getAsBoolean()) {
            if (cluster.world().nowNanos() >= end) {
                throw new AssertionError("not within " + boundNanos / MILLI + " ms");
            }
            run(2 * MILLI);
        }
    }

    /** Runs until a call is answered. */
    Object answer(Actor actor, long call, long boundNanos) {
        until(() -> actor.isAnswered(call), boundNanos);
        return actor.answer(call);
    }

    long now() {
        return cluster.world().nowNanos();
    }

    void cutOff(SimProcess process) {
        for (SimProcess other : cluster.processes()) {
            if (other != process) {
                cluster.network().breakPath(process.hostId(), other.hostId());
                cluster.network().breakPath(other.hostId(), process.hostId());
            }
        }
    }

    void reconnect(SimProcess process) {
        cluster.network().healHost(process.hostId());
    }

    /** What the actor sends still arrives; what is answered from now on is lost with its connection (D-REPLYCUT). */
    void loseReplies(Actor actor) {
        for (SimReplica replica : cluster.replicas()) {
            cluster.network().breakPath(replica.hostId(), actor.process().hostId());
        }
    }

    void cutStreams(Actor actor) {
        for (Stream stream : cluster.network().openStreams()) {
            if (stream.touches(actor.process())) {
                stream.cut(true, false, MILLI);
            }
        }
        reconnect(actor.process());
    }

    /** Everything on every replica is the same at the end. */
    void agree() {
        until(
                () -> cluster.replicas().stream()
                        .filter(SimReplica::isAlive)
                        .allMatch(replica -> cluster.checks().applied(replica.hostId())
                                == cluster.checks().log().committedIndex()),
                30 * SECOND);
        cluster.checks().atEnd();
    }
}
