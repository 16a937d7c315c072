package io.holdfast.cell.lock;

import io.holdfast.cell.base.Invariants;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one lock and the rule who holds it (R4.2). An exclusive place is held when no lower place is left, a shared
 * place when no lower exclusive place is left, a permit when fewer lower places are left than the semaphore has permits.
 *
 * <p>The held places are always the lowest ones of the queue, and a held place stays held until it is removed, since new
 * places come last. So one number says who holds: {@code heldUpTo}. Each place is passed by it once, which makes a release
 * O(log n) and every grant a single event, whatever the number of waiters (N9, C98).
 *
 * <p><b>Thread:</b> the one that applies.
 *
 * <p><b>Invariants:</b> 1. Places up to {@code heldUpTo} are held, all others wait. 2. After {@link #advance()} the lowest
 * waiting place may not hold. 3. All places state the same number of permits: it is a semaphore, or a lock (ADR 0011).
 *
 * <p><b>Source:</b> R4.2, F1.
 */
public final class LockQueue {
    /** One place: its token and its mode. */
    public record Place(FencingToken token, LockMode mode) {}

    private final TreeMap<FencingToken, LockMode> places = new TreeMap<>();
    /** Of a semaphore; 0 for a lock. */
    private final int permits;

    private FencingToken heldUpTo = new FencingToken(0);
    private int exclusives;
    private int held;
    private int heldExclusives;

    LockQueue(int permits) {
        this.permits = permits;
    }

    /** R4.2, the whole rule. */
    private boolean mayHold(LockMode mode, int lowerPlaces, boolean lowerExclusive) {
        return switch (mode) {
            case EXCLUSIVE -> lowerPlaces == 0;
            case SHARED -> !lowerExclusive;
            case PERMIT -> lowerPlaces < permits;
        };
    }

    /**
     * The lowest place that a new place of this mode would have to wait for, or null if it would be held at once. For a
     * try that must leave nothing behind (C62).
     */
    @Nullable
    FencingToken blocker(LockMode mode) {
        if (mayHold(mode, places.size(), exclusives > 0)) {
            return null;
        }
        return mode == LockMode.SHARED ? firstExclusive() : places.firstKey();
    }

    private FencingToken firstExclusive() {
        Map.Entry<FencingToken, LockMode> first = places.firstEntry();
        if (first.getValue() == LockMode.EXCLUSIVE) {
            return first.getKey();
        }
        // Every shared place before the first exclusive one is held.
        return places.higherKey(heldUpTo);
    }

    /** Of the semaphore that this is; 0 if it is a lock. */
    public int permits() {
        return permits;
    }

    /** Adds a place; whether it is held shows after {@link #advance()}. */
    void add(FencingToken token, LockMode mode) {
        Invariants.check(
                mode == LockMode.PERMIT ? permits > 0 : permits == 0, "permits and a lock's places do not mix");
        Invariants.check(places.put(token, mode) == null, "a token is used once");
        if (mode == LockMode.EXCLUSIVE) {
            exclusives++;
        }
    }

    /** Removes a place, held or waiting; who holds now shows after {@link #advance()}. */
    void remove(FencingToken token) {
        boolean wasHeld = isHeld(token);
        LockMode mode = Invariants.present(places.remove(token), "a removed place is in the queue");
        int exclusive = mode == LockMode.EXCLUSIVE ? 1 : 0;
        exclusives -= exclusive;
        if (wasHeld) {
            held--;
            heldExclusives -= exclusive;
        }
    }

    /** Lets in who may hold now, and returns just those that did not hold before, in order (R4.2: one event each). */
    List<Place> advance() {
        List<Place> granted = new ArrayList<>(1);
        Map.Entry<FencingToken, LockMode> next = places.higherEntry(heldUpTo);
        while (next != null && mayHold(next.getValue(), held, heldExclusives > 0)) {
            heldUpTo = next.getKey();
            held++;
            heldExclusives += next.getValue() == LockMode.EXCLUSIVE ? 1 : 0;
            granted.add(new Place(next.getKey(), next.getValue()));
            next = places.higherEntry(heldUpTo);
        }
        return granted;
    }

    boolean isHeld(FencingToken token) {
        return token.compareTo(heldUpTo) <= 0 && places.containsKey(token);
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    int held() {
        return held;
    }

    int waiting() {
        return places.size() - held;
    }

    /** The mode of the place with this token, or null if there is none. */
    public @Nullable LockMode modeOf(FencingToken token) {
        return places.get(token);
    }

    /** The next place by token, or null. */
    public @Nullable Place after(FencingToken token) {
        Map.Entry<FencingToken, LockMode> next = places.higherEntry(token);
        return next == null ? null : new Place(next.getKey(), next.getValue());
    }
}
