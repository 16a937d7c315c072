package io.holdfast.simulation.check;

import io.holdfast.model.LockMode;
import io.holdfast.model.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The queues of all locks, straight after R4.2 and slow. */
final class LockModel {
    private final Map<String, TreeMap<Long, Place>> queues = new TreeMap<>();
    private final Map<String, TreeSet<Long>> heldBefore = new TreeMap<>();
    private final TreeSet<String> touched = new TreeSet<>();

    /** @param session 0 for a place that waits out its lock-delay */
    record Place(String lock, long token, LockMode mode, int permits, long session, long delayMillis, String path) {
        static Place of(long token, Operation.Acquire acquire, long session) {
            String lock = acquire.lock().value();
            LockMode mode = acquire.mode();
            String digits = Long.toString(token);
            String path = lock + "/" + mode.prefix() + "0".repeat(20 - digits.length()) + digits;
            return new Place(lock, token, mode, acquire.permits(), session, acquire.lockDelayMillis(), path);
        }

        Place withoutSession() {
            return new Place(lock, token, mode, permits, 0, delayMillis, path);
        }
    }

    /**
     * An exclusive place is held when no lower one is left, a shared one when no lower exclusive one is left, a permit when fewer lower
     * ones are left than there are permits.
     */
    boolean wouldBeHeld(String lock, LockMode mode, int permits, long token) {
        if (mode == LockMode.PERMIT) {
            return queue(lock).headMap(token).size() < permits;
        }
        for (Place place : queue(lock).headMap(token).values()) {
            if (mode == LockMode.EXCLUSIVE || place.mode() == LockMode.EXCLUSIVE) {
                return false;
            }
        }
        return true;
    }

    boolean isHeld(Place place) {
        return wouldBeHeld(place.lock(), place.mode(), place.permits(), place.token());
    }

    /** Whether a place that states so many permits may join the queue. */
    boolean fits(String lock, int permits) {
        return queue(lock).values().stream().allMatch(place -> place.permits() == permits);
    }

    /** Tokens of the places of one lock that sessions hold. */
    TreeSet<Long> heldOf(String lock) {
        TreeSet<Long> held = new TreeSet<>();
        for (Place place : queue(lock).values()) {
            if (place.session() != 0 && isHeld(place)) {
                held.add(place.token());
            }
        }
        return held;
    }

    void put(Place place) {
        queues.computeIfAbsent(place.lock(), unseen -> new TreeMap<>()).put(place.token(), place);
        touched.add(place.lock());
    }

    void remove(Place place) {
        TreeMap<Long, Place> queue = queue(place.lock());
        queue.remove(place.token());
        if (queue.isEmpty()) {
            queues.remove(place.lock());
        }
        touched.add(place.lock());
    }

    /** The place with this path, or null. */
    @Nullable
    Place find(String path) {
        int slash = path.lastIndexOf('/');
        if (slash > 0) {
            for (Place place : queue(path.substring(0, slash)).values()) {
                if (place.path().equals(path)) {
                    return place;
                }
            }
        }
        return null;
    }

    List<Place> placesOf(long session) {
        List<Place> found = new ArrayList<>();
        for (TreeMap<Long, Place> queue : queues.values()) {
            for (Place place : queue.values()) {
                if (place.session() == session) {
                    found.add(place);
                }
            }
        }
        return found;
    }

    /** Tokens of the places that are held now and were not, or did not exist, when this was last called. */
    TreeSet<Long> newlyHeld() {
        TreeSet<Long> fresh = new TreeSet<>();
        for (String lock : touched) {
            TreeSet<Long> now = new TreeSet<>();
            for (Place place : queue(lock).values()) {
                if (isHeld(place)) {
                    now.add(place.token());
                }
            }
            TreeSet<Long> before = heldBefore.put(lock, now);
            fresh.addAll(now);
            if (before != null) {
                fresh.removeAll(before);
            }
        }
        touched.clear();
        return fresh;
    }

    boolean isLock(String path) {
        return queues.containsKey(path);
    }

    /** Tokens of the places that sessions hold. */
    TreeSet<Long> held() {
        TreeSet<Long> held = new TreeSet<>();
        for (TreeMap<Long, Place> queue : queues.values()) {
            for (Place place : queue.values()) {
                if (place.session() != 0 && isHeld(place)) {
                    held.add(place.token());
                }
            }
        }
        return held;
    }

    int size() {
        int size = 0;
        for (TreeMap<Long, Place> queue : queues.values()) {
            size += queue.size();
        }
        return size;
    }

    private TreeMap<Long, Place> queue(String lock) {
        TreeMap<Long, Place> queue = queues.get(lock);
        return queue == null ? new TreeMap<>() : queue;
    }
}
