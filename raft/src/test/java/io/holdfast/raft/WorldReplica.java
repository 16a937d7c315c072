package io.holdfast.raft;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One process of a {@link RaftWorld}: its disk outlives it, the rest is made anew at each start. */
final class WorldReplica {
    private final ReplicaId id;
    private final Membership initialMembership;
    private final WorldDisk disk;
    private @Nullable RaftCore core;
    private WorldMachine machine;
    private final ByteArrayOutputStream incoming = new ByteArrayOutputStream();
    private final ArrayDeque<RaftInput> mailbox = new ArrayDeque<>();
    /** Rises with each start, so that events of an earlier life are ignored. */
    private int life;

    private boolean frozen;
    private long diskDelayNanos;
    private boolean installing;
    private long tickAtNanos = Long.MAX_VALUE;
    private long seenLastIndex;
    private long seenLogBytes;

    WorldReplica(ReplicaId id, Membership initialMembership) {
        this.id = id;
        this.initialMembership = initialMembership;
        this.disk = new WorldDisk(initialMembership);
        this.machine = new WorldMachine(initialMembership);
    }

    void start(RaftConfig config, RandomSource random, long now) {
        life++;
        machine = new WorldMachine(initialMembership);
        WorldDisk.StoredSnapshot snapshot = disk.snapshot();
        if (snapshot != null) {
            machine.restore(snapshot);
        }
        core = new RaftCore(id, config, random, disk.restored(), now);
    }

    void stop() {
        life++;
        core = null;
        frozen = false;
        installing = false;
        tickAtNanos = Long.MAX_VALUE;
        mailbox.clear();
        incoming.reset();
    }

    ReplicaId id() {
        return id;
    }

    boolean isUp() {
        return core != null;
    }

    RaftCore core() {
        if (core == null) {
            throw new AssertionError(id + " is down");
        }
        return core;
    }

    WorldDisk disk() {
        return disk;
    }

    WorldMachine machine() {
        return machine;
    }

    int life() {
        return life;
    }

    boolean isFrozen() {
        return frozen;
    }

    void freeze(boolean on) {
        frozen = on;
    }

    ArrayDeque<RaftInput> mailbox() {
        return mailbox;
    }

    long diskDelayNanos() {
        return diskDelayNanos;
    }

    void slowDisk(long delayNanos) {
        diskDelayNanos = delayNanos;
    }

    ByteArrayOutputStream incoming() {
        return incoming;
    }

    boolean isInstalling() {
        return installing;
    }

    void installing(boolean on) {
        installing = on;
    }

    long tickAtNanos() {
        return tickAtNanos;
    }

    void tickAt(long nanos) {
        tickAtNanos = nanos;
    }

    /** Whether the log seems to differ from the last time that this was asked. */
    boolean logEndChanged(RaftStatus status) {
        boolean changed = status.lastIndex() != seenLastIndex || status.logBytes() != seenLogBytes;
        seenLastIndex = status.lastIndex();
        seenLogBytes = status.logBytes();
        return changed;
    }
}
