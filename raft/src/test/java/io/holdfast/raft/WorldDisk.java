package io.holdfast.raft;

import io.holdfast.raft.RaftOutput.LogBase;
import io.holdfast.raft.RaftOutput.Persist;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A replica's disk: what survives a crash, and the writes that have not got there. */
final class WorldDisk {
    /** A snapshot file. */
    record StoredSnapshot(SnapshotMeta meta, byte[] data) {}

    private final Membership initialMembership;
    private final ArrayDeque<Persist> pending = new ArrayDeque<>();
    private HardState hardState = HardState.INITIAL;
    private long baseIndex;
    private long baseTerm;
    private final ArrayList<LogEntry> entries = new ArrayList<>();
    private @Nullable StoredSnapshot snapshot;

    WorldDisk(Membership initialMembership) {
        this.initialMembership = initialMembership;
    }

    HardState hardState() {
        return hardState;
    }

    @Nullable
    StoredSnapshot snapshot() {
        return snapshot;
    }

    void submit(Persist persist) {
        pending.add(persist);
    }

    /** The oldest write reaches the disk. */
    long completeOldest() {
        Persist persist = pending.remove();
        write(persist, persist.entries().size());
        return persist.sequence();
    }

    boolean hasPending() {
        return !pending.isEmpty();
    }

    /** Power cut: some of the pending writes made it, the next one perhaps in part, the rest is lost. */
    void crash(Random random) {
        int survive = random.nextInt(pending.size() + 1);
        for (int i = 0; i < survive; i++) {
            completeOldest();
        }
        Persist torn = pending.poll();
        if (torn != null && random.nextBoolean()) {
            write(torn, random.nextInt(torn.entries().size() + 1));
        }
        pending.clear();
    }

    private void write(Persist persist, int entryCount) {
        if (persist.hardState() != null) {
            hardState = persist.hardState();
        }
        LogBase base = persist.base();
        if (base != null) {
            moveBase(base);
        }
        for (LogEntry entry : persist.entries().subList(0, entryCount)) {
            append(entry);
        }
    }

    private void moveBase(LogBase base) {
        long last = baseIndex + entries.size();
        if (base.discardTail() || base.index() > last) {
            entries.clear();
        } else if (base.index() > baseIndex) {
            entries.subList(0, (int) (base.index() - baseIndex)).clear();
        }
        baseIndex = base.index();
        baseTerm = base.term();
    }

    private void append(LogEntry entry) {
        long at = entry.index() - baseIndex - 1;
        if (at < 0 || at > entries.size()) {
            throw new AssertionError("the driver was told to leave a hole: entry " + entry.index() + " on a disk with "
                    + baseIndex + "+" + entries.size());
        }
        entries.subList((int) at, entries.size()).clear();
        entries.add(entry);
    }

    void storeSnapshot(StoredSnapshot stored) {
        if (snapshot == null || stored.meta().index() > snapshot.meta().index()) {
            snapshot = stored;
        }
    }

    /** Whether the disk has this entry, or a snapshot that covers it. */
    boolean has(long index, long term) {
        if (snapshot != null && index <= snapshot.meta().index()) {
            return true;
        }
        long at = index - baseIndex - 1;
        return at < 0 || (at < entries.size() && entries.get((int) at).term() == term);
    }

    RestoredState restored() {
        return new RestoredState(
                hardState,
                snapshot == null ? null : snapshot.meta(),
                initialMembership,
                baseIndex,
                baseTerm,
                List.copyOf(entries));
    }
}
