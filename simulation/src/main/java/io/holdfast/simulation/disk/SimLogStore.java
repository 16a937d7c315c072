package io.holdfast.simulation.disk;

import io.holdfast.raft.RaftOutput;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import io.holdfast.storage.DiskFullException;
import io.holdfast.storage.LogStore;
import io.holdfast.storage.RecoveredLog;
import io.holdfast.storage.WriteAheadLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The log store of one life of a process: the real write-ahead log, with the writer's time made virtual.
 *
 * <p>What is queued while an fsync runs goes into the next one. The bytes reach the simulated disk when the fsync ends; if
 * the process dies while it runs, {@link #crash()} lets a random part of the writer's file operations happen.
 */
public final class SimLogStore implements LogStore {
    private static final long FULL_RETRY_NANOS = 500 * World.MILLI;

    private final World world;
    private final int host;
    private final SimDisk disk;
    private final WriteAheadLog log;
    private final Map<CellId, RecoveredLog> recovered;
    private final LogStore.Failure failure;
    private final LogWatcher watcher;
    private DiskConfig config;
    private List<Request> queue = new ArrayList<>();
    /** What the running fsync covers; empty if none runs. */
    private List<Request> batch = List.of();
    /** Whether the batch has been handed to the log already, but found no room. */
    private boolean full;

    private boolean dead;
    private long stalledUntilNanos;

    private record Request(
            CellId cell,
            RaftOutput.@Nullable Persist append,
            @Nullable RecoveredLog rewrite,
            Runnable done) {}

    public SimLogStore(
            World world,
            int host,
            SimDisk disk,
            WriteAheadLog log,
            Map<CellId, RecoveredLog> recovered,
            LogStore.Failure failure,
            LogWatcher watcher,
            DiskConfig config) {
        this.world = world;
        this.host = host;
        this.disk = disk;
        this.log = log;
        this.recovered = recovered;
        this.failure = failure;
        this.watcher = watcher;
        this.config = config;
    }

    public void configure(DiskConfig newConfig) {
        config = newConfig;
    }

    /** No fsync ends before this time. */
    public void stallUntil(long nanos) {
        stalledUntilNanos = nanos;
    }

    @Override
    public Map<CellId, RecoveredLog> recovered() {
        return recovered;
    }

    @Override
    public void persist(CellId cell, RaftOutput.Persist request, Runnable done) {
        watcher.requested(cell, request);
        enqueue(new Request(cell, request, null, done));
    }

    @Override
    public void rewrite(CellId cell, RecoveredLog contents, Runnable done) {
        enqueue(new Request(cell, null, contents, done));
    }

    private void enqueue(Request request) {
        queue.add(request);
        if (batch.isEmpty() && !dead) {
            startBatch();
        }
    }

    private void startBatch() {
        batch = queue;
        queue = new ArrayList<>();
        if (batch.size() > 1) {
            world.coverage().seen(Seen.GROUP_COMMIT);
        }
        Rng rng = world.rng();
        long takes = config.syncNanos() / 2 + rng.exponential(config.syncNanos() / 2);
        if (rng.chance(config.slowChance())) {
            world.coverage().seen(Seen.DISK_SLOW);
            takes += rng.below(config.slowNanos() + 1);
        }
        long end = world.nowNanos() + takes;
        if (end < stalledUntilNanos) {
            world.coverage().seen(Seen.DISK_STALL);
            end = stalledUntilNanos;
        }
        world.at(end, EventKind.DISK, host, this::finishBatch);
    }

    private void finishBatch() {
        if (dead) {
            return;
        }
        if (world.nowNanos() < stalledUntilNanos) {
            world.coverage().seen(Seen.DISK_STALL);
            world.at(stalledUntilNanos, EventKind.DISK, host, this::finishBatch);
            return;
        }
        try {
            write();
        } catch (DiskFullException noRoom) {
            if (!full) {
                full = true;
                world.coverage().seen(Seen.DISK_FULL);
                failure.diskFull(noRoom);
            }
            world.after(FULL_RETRY_NANOS, EventKind.DISK, host, this::finishBatch);
            return;
        } catch (IOException fatal) {
            dead = true;
            failure.fatal(fatal);
            return;
        }
        if (full) {
            full = false;
            failure.roomAgain();
        }
        List<Request> done = batch;
        batch = List.of();
        for (Request request : done) {
            if (request.append() != null) {
                watcher.durable(request.cell(), request.append());
            }
        }
        for (Request request : done) {
            request.done().run();
        }
        if (!queue.isEmpty() && batch.isEmpty()) {
            startBatch();
        }
    }

    private void write() throws IOException {
        if (!full) {
            for (Request request : batch) {
                if (request.append() != null) {
                    log.append(request.cell(), request.append());
                } else if (request.rewrite() != null) {
                    log.appendRewrite(request.cell(), request.rewrite());
                }
            }
        }
        log.sync();
    }

    /** The process dies now. The disk itself is crashed by the caller afterwards. */
    public void crash() {
        if (dead) {
            return;
        }
        dead = true;
        if (batch.isEmpty()) {
            return;
        }
        disk.cutPowerAfter(world.rng().below(4));
        try {
            write();
        } catch (SimDisk.PowerCut | IOException interrupted) {
            world.observe(EventKind.DISK, host, 1);
        }
    }

    @Override
    public Set<CellId> pinning() {
        return log.pinning();
    }

    @Override
    public long sizeBytes() {
        return log.sizeBytes();
    }

    @Override
    public void close() {
        dead = true;
    }
}
