package io.holdfast.cell.lock;

import io.holdfast.cell.base.Invariants;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The queues of all locks, and which places are in their lock-delay. Derived from the places in the tree, rebuilt when a
 * snapshot is restored.
 *
 * <p><b>Thread:</b> the one that applies.
 *
 * <p><b>Invariants:</b> 1. A lock is listed if and only if it has a place. 2. A place in its lock-delay is one that was
 * held (R4.6).
 */
public final class LockTable {
    private final TreeMap<NodePath, LockQueue> locks = new TreeMap<>();
    private final TreeSet<NodePath> delayed = new TreeSet<>();
    private long held;
    private long waiting;

    /** The queue of a lock, or null if it has no place. */
    public @Nullable LockQueue find(NodePath lock) {
        return locks.get(lock);
    }

    public boolean hasPlaces(NodePath lock) {
        return locks.containsKey(lock);
    }

    /** The place a try would have to wait for, or null if it would be held at once. */
    public @Nullable FencingToken blocker(NodePath lock, LockMode mode) {
        LockQueue queue = locks.get(lock);
        return queue == null ? null : queue.blocker(mode);
    }

    /**
     * Adds a place at the end of its queue.
     *
     * @param permits of a semaphore, the same as its other places state; 0 for a lock
     * @return whether it is held at once
     */
    public boolean add(NodePath lock, FencingToken token, LockMode mode, int permits) {
        LockQueue queue = queueFor(lock, permits);
        queue.add(token, mode);
        waiting++;
        advance(queue);
        return queue.isHeld(token);
    }

    /** Removes a place without looking who is next: {@link #grant} does that when all of one step are gone. */
    public void remove(NodePath lock, NodePath place, FencingToken token) {
        LockQueue queue = queueOf(lock);
        if (queue.isHeld(token)) {
            held--;
        } else {
            waiting--;
        }
        queue.remove(token);
        delayed.remove(place);
        if (queue.isEmpty()) {
            locks.remove(lock);
        }
    }

    /** The places of a lock that hold now and did not before, in order. */
    public List<LockQueue.Place> grant(NodePath lock) {
        LockQueue queue = locks.get(lock);
        return queue == null ? List.of() : advance(queue);
    }

    private List<LockQueue.Place> advance(LockQueue queue) {
        List<LockQueue.Place> granted = queue.advance();
        held += granted.size();
        waiting -= granted.size();
        return granted;
    }

    /** A held place lost its session and blocks on (R4.6). */
    public void delay(NodePath place) {
        delayed.add(place);
    }

    /**
     * Whether a place has its turn. One in its lock-delay has it too, although nobody holds it.
     */
    public boolean isHeld(NodePath lock, FencingToken token) {
        LockQueue queue = locks.get(lock);
        return queue != null && queue.isHeld(token);
    }

    /** Takes over a place from a snapshot; call {@link #settle} after the last. */
    public void restore(NodePath place, LockQueue.Place kept, int permits, boolean inDelay) {
        NodePath lock = Invariants.present(place.parent(), "a place lies below its lock");
        queueFor(lock, permits).add(kept.token(), kept.mode());
        waiting++;
        if (inDelay) {
            delayed.add(place);
        }
    }

    /** Finds out who holds, for all locks. */
    public void settle() {
        for (LockQueue queue : locks.values()) {
            advance(queue);
        }
    }

    /** Places that sessions hold. */
    public long held() {
        return held - delayed.size();
    }

    public long waiting() {
        return waiting;
    }

    /** Places in their lock-delay, in path order. */
    public Iterable<NodePath> delayed() {
        return delayed;
    }

    public int delayedCount() {
        return delayed.size();
    }

    /** All locks from this path on, in path order. */
    public NavigableMap<NodePath, LockQueue> from(NodePath path) {
        return locks.tailMap(path, true);
    }

    /** The held and waiting places counted from nothing; slow. */
    public void checkCounts() {
        long heldNow = 0;
        long waitingNow = 0;
        for (Map.Entry<NodePath, LockQueue> lock : locks.entrySet()) {
            Invariants.check(!lock.getValue().isEmpty(), "a listed lock has a place");
            heldNow += lock.getValue().held();
            waitingNow += lock.getValue().waiting();
        }
        Invariants.check(heldNow == held && waitingNow == waiting, "held and waiting places are counted right");
    }

    private LockQueue queueFor(NodePath lock, int permits) {
        LockQueue queue = locks.computeIfAbsent(lock, path -> new LockQueue(permits));
        Invariants.check(queue.permits() == permits, "all places of a queue state the same number of permits");
        return queue;
    }

    private LockQueue queueOf(NodePath lock) {
        return Invariants.present(locks.get(lock), "a place's lock is listed");
    }
}
