package io.holdfast.simulation.run;

import io.holdfast.simulation.disk.SimLogStore;
import io.holdfast.simulation.process.ClientProcess;
import io.holdfast.simulation.process.SimProcess;
import io.holdfast.simulation.process.SimProxy;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Faults of processes, their clocks and disks. */
final class ProcessFaults {
    /** No machine sleeps and wakes in less. */
    private static final long SHORTEST_SLEEP_NANOS = 50 * World.MILLI;

    private final Cluster cluster;
    private final World world;
    private final Rng rng;

    ProcessFaults(Cluster cluster, Rng rng) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.rng = rng;
    }

    void inject(Fault fault) {
        switch (fault) {
            case KILL_ALL -> killAll();
            case PAUSE_CLIENT -> withClient(this::pauseForAWhile);
            case SUSPEND_CLIENT -> withClient(this::suspendForAWhile);
            case KILL_CLIENT -> withClient(this::killForAWhile);
            case WIPE_REPLICA -> wipe();
            case DISK_STALL -> stallDisk();
            case DISK_FULL -> fillDisk();
            case WALL_JUMP -> jumpWall();
            case CLOCK_RATE -> changeRate();
            case TRANSFER_LEAD -> transferLead();
            default -> {}
        }
    }

    private SimReplica anyReplica() {
        return cluster.replicas().get(rng.below(cluster.replicas().size()));
    }

    void withClient(Consumer<ClientProcess> fault) {
        List<ClientProcess> users = cluster.users();
        if (!users.isEmpty()) {
            fault.accept(users.get(rng.below(users.size())));
        }
    }

    private long leaseNanos() {
        return cluster.config().leaseMillis() * World.MILLI;
    }

    void killForAWhile(SimReplica victim) {
        victim.kill();
        long down = rng.pick(rng.exponential(300 * World.MILLI), rng.exponential(5 * World.SECOND));
        world.after(down, EventKind.START, victim.hostId(), () -> restart(victim));
    }

    private void restart(SimReplica replica) {
        if (!replica.isAlive()) {
            world.coverage().seen(Seen.REPLICA_RESTARTED);
            replica.start();
        }
    }

    private void killAll() {
        world.coverage().seen(Seen.ALL_REPLICAS_KILLED);
        for (SimReplica replica : cluster.replicas()) {
            // a power cut, or an operator's loop that takes its time
            world.after(rng.below(3 * World.MILLI), EventKind.FAULT, replica.hostId(), () -> killForAWhile(replica));
        }
    }

    private void killForAWhile(ClientProcess victim) {
        victim.kill();
        world.after(rng.exponential(5 * World.SECOND), EventKind.START, victim.hostId(), () -> {
            if (!victim.isAlive()) {
                victim.start();
            }
        });
    }

    void pauseForAWhile(SimProcess victim) {
        if (!victim.isAlive() || victim.isPaused()) {
            return;
        }
        world.coverage().seen(pausedSeen(victim));
        victim.pause();
        long length = rng.pick(
                rng.exponential(World.SECOND),
                leaseNanos() / 2 + rng.below(leaseNanos()),
                rng.exponential(10 * World.SECOND));
        world.after(length, EventKind.FAULT, victim.hostId(), victim::goOn);
    }

    private static Seen pausedSeen(SimProcess victim) {
        if (victim instanceof SimProxy) {
            return Seen.PROXY_PAUSED;
        }
        return victim instanceof SimReplica ? Seen.REPLICA_PAUSED : Seen.CLIENT_PAUSED;
    }

    private void suspendForAWhile(ClientProcess victim) {
        sleep(victim, rng.pick(rng.exponential(leaseNanos()), rng.exponential(World.SECOND)));
    }

    /** So briefly that it is no jump of the clocks. */
    void sleepBriefly(ClientProcess victim) {
        sleep(victim, rng.below(900 * World.MILLI));
    }

    private void sleep(ClientProcess victim, long extraNanos) {
        victim.suspend();
        world.after(SHORTEST_SLEEP_NANOS + extraNanos, EventKind.FAULT, victim.hostId(), victim::wake);
    }

    /** At most one disk is lost at a time, and none while a replacement is not yet a voter. */
    private void wipe() {
        SimReplica victim = anyReplica();
        if (!cluster.operator().mayWipe(victim)) {
            return;
        }
        victim.kill();
        victim.wipe();
        world.after(rng.exponential(3 * World.SECOND), EventKind.START, victim.hostId(), () -> restart(victim));
    }

    private void stallDisk() {
        SimLogStore log = anyReplica().log();
        if (log != null) {
            log.stallUntil(
                    world.nowNanos() + rng.pick(rng.exponential(World.SECOND), rng.exponential(6 * World.SECOND)));
        }
    }

    /** One disk, or those of a majority while the leader has room (C70). */
    private void fillDisk() {
        SimReplica leader = cluster.leader();
        long duration = rng.exponential(6 * World.SECOND);
        if (leader == null || rng.chance(0.7)) {
            fillDisk(anyReplica(), duration);
            return;
        }
        for (SimReplica replica : cluster.replicas()) {
            if (replica != leader) {
                fillDisk(replica, duration);
            }
        }
    }

    private void fillDisk(SimReplica victim, long duration) {
        victim.disk().limitTo(victim.disk().usedBytes() + rng.below(2_000));
        world.after(
                duration, EventKind.FAULT, victim.hostId(), () -> victim.disk().limitTo(Long.MAX_VALUE));
    }

    private SimProcess anyProcess() {
        List<SimProcess> all = new ArrayList<>(cluster.processes());
        return all.get(rng.below(all.size()));
    }

    private void jumpWall() {
        SimProcess victim = anyProcess();
        long hour = 3_600_000;
        long millis = rng.pick(hour, -hour, 365 * 24 * hour, 1_500L, -20_000L, 700L);
        boolean jumped = true;
        if (victim instanceof ClientProcess client) {
            jumped = client.setWallClock(millis);
        } else {
            victim.clock().jumpWall(millis);
        }
        if (jumped) {
            world.trace(() -> "wall clock of process " + victim.hostId() + " jumps by " + millis + " ms");
            world.coverage().seen(Seen.WALL_JUMP);
        }
    }

    private void changeRate() {
        world.coverage().seen(Seen.CLOCK_RATE_CHANGED);
        anyProcess().changeClockRate();
    }

    private void transferLead() {
        SimReplica leader = cluster.leader();
        if (leader != null) {
            leader.transferLeadership(anyReplica().name());
        }
    }
}
