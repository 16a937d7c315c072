package io.holdfast.server.parts;

import io.holdfast.raft.RaftOutput;
import io.holdfast.replica.ReplicaListener;
import io.holdfast.replica.ReplicaMeter;
import io.holdfast.storage.CellId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what a replica's loop tells, one line for each event an operator may care about, and passes on who leads. */
final class ReplicaEvents implements ReplicaListener {
    private static final Logger log = LoggerFactory.getLogger(ReplicaEvents.class);

    /** Hears who leads the first cell. */
    interface LeaderListener {
        /** Must return at once; runs on the loop's thread. */
        void leaderKnown(@Nullable String leader, long term);
    }

    /** Hears who leads a shard. */
    interface ShardListener {
        /** Must return at once; runs on the loop's thread. */
        void leaderKnown(CellId shard, @Nullable String leader, long term);
    }

    private final String replica;
    private final CellId frontCell;
    private final ReplicaMeter meter;
    private final FatalHandler fatal;
    private final List<LeaderListener> listeners = new CopyOnWriteArrayList<>();
    private final List<ShardListener> shardListeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> formed = new CompletableFuture<>();
    /** Written by the loop. */
    private @Nullable String leader;

    ReplicaEvents(String replica, CellId frontCell, ReplicaMeter meter, FatalHandler fatal) {
        this.replica = replica;
        this.frontCell = frontCell;
        this.meter = meter;
        this.fatal = fatal;
    }

    /** Completes on the loop's thread once consensus runs. */
    CompletableFuture<Void> whenFormed() {
        return formed;
    }

    void listen(LeaderListener listener) {
        listeners.add(listener);
    }

    void listenForShards(ShardListener listener) {
        shardListeners.add(listener);
    }

    @Override
    public ReplicaMeter meter() {
        return meter;
    }

    @Override
    public void roleChanged(CellId cell, RaftOutput.Role role, long term, @Nullable String newLeader) {
        if (!cell.equals(frontCell)) {
            log.debug("{}: shard {} is led by {} in term {}", replica, cell, newLeader, term);
            shardListeners.forEach(listener -> listener.leaderKnown(cell, newLeader, term));
            return;
        }
        if (newLeader != null && !newLeader.equals(leader)) {
            log.info("{}: {} leads cell {} in term {}", replica, newLeader, cell, term);
        } else if (newLeader == null && leader != null) {
            log.info("{}: cell {} has no known leader in term {}", replica, cell, term);
        }
        leader = newLeader;
        listeners.forEach(listener -> listener.leaderKnown(newLeader, term));
    }

    @Override
    public void serving(CellId cell, long term) {
        log.debug("{}: serves cell {} as leader of term {}", replica, cell, term);
    }

    @Override
    public void formed() {
        log.debug("{}: the cell is formed", replica);
        formed.complete(null);
    }

    @Override
    public void snapshotInstalled(CellId cell, long index) {
        log.info("{}: caught up in cell {} with the leader's snapshot of index {}", replica, cell, index);
    }

    @Override
    public void notice(String message) {
        log.warn("{}: {}", replica, message);
    }

    @Override
    public void fatal(Throwable cause) {
        fatal.fatal("replica " + replica + ": " + cause.getMessage(), cause);
    }
}
