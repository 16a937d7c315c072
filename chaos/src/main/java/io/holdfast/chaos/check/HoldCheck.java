package io.holdfast.chaos.check;

import io.holdfast.chaos.history.History;
import io.holdfast.chaos.history.History.Held;
import io.holdfast.chaos.history.History.Owner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Two clients never believe at once that they hold what only one may hold (N1), by their own {@code isHeld()}; and whoever
 * asks the cell during a hold is told of that hold (C13, C38).
 *
 * <p>A sample says that a hold was believed in at some moment between two clock readings. A hold is believed in for certain
 * from the end of its first sample to the beginning of its last: its place cannot have gone in between, as it never comes
 * back. So no finding is a matter of measuring.
 */
public final class HoldCheck {
    private HoldCheck() {}

    /** A hold, as its client believed in it. */
    private static final class Belief {
        final Held first;
        Held last;

        Belief(Held first) {
            this.first = first;
            this.last = first;
        }

        long fromNanos() {
            return first.afterNanos();
        }

        /** Before {@link #fromNanos} if there was one sample only. */
        long toNanos() {
            return last.beforeNanos();
        }

        boolean conflictsWith(Belief other) {
            return !first.shared() || !other.first.shared();
        }

        /** Whether some moment of this belief certainly lies in the other. */
        boolean meets(Belief other) {
            if (fromNanos() > toNanos()) {
                return other.fromNanos() <= first.beforeNanos() && first.afterNanos() <= other.toNanos();
            }
            if (other.fromNanos() > other.toNanos()) {
                return other.meets(this);
            }
            return fromNanos() <= other.toNanos() && other.fromNanos() <= toNanos();
        }

        @Override
        public String toString() {
            return first.client() + " (token " + first.token() + ", " + (first.shared() ? "shared" : "exclusive")
                    + ") at " + first.beforeNanos() + " to " + last.afterNanos();
        }
    }

    public static List<Finding> check(History history) {
        Map<String, List<Belief>> beliefs = beliefs(history.held());
        List<Finding> findings = new ArrayList<>();
        beliefs.forEach((lock, all) -> findings.addAll(overlaps(lock, all)));
        for (Owner owner : history.owners()) {
            Finding finding = wrongOwner(owner, beliefs.getOrDefault(owner.lock(), List.of()));
            if (finding != null) {
                findings.add(finding);
            }
        }
        return findings;
    }

    /** Number of different holds. */
    public static int holds(History history) {
        return beliefs(history.held()).values().stream().mapToInt(List::size).sum();
    }

    private static Map<String, List<Belief>> beliefs(List<Held> samples) {
        Map<List<Object>, Belief> byHold = new HashMap<>();
        Map<String, List<Belief>> byLock = new TreeMap<>();
        for (Held sample : samples) {
            List<Object> hold = List.of(sample.client(), sample.lock(), sample.token());
            Belief belief = byHold.get(hold);
            if (belief == null) {
                belief = new Belief(sample);
                byHold.put(hold, belief);
                byLock.computeIfAbsent(sample.lock(), unseen -> new ArrayList<>())
                        .add(belief);
            } else if (sample.afterNanos() > belief.last.afterNanos()) {
                belief.last = sample;
            }
        }
        byLock.values()
                .forEach(all -> all.sort(Comparator.comparingLong((Belief belief) -> belief.first.beforeNanos())));
        return byLock;
    }

    private static List<Finding> overlaps(String lock, List<Belief> beliefs) {
        List<Finding> findings = new ArrayList<>();
        List<Belief> open = new ArrayList<>();
        for (Belief belief : beliefs) {
            open.removeIf(earlier -> earlier.last.afterNanos() < belief.first.beforeNanos());
            for (Belief earlier : open) {
                if (belief.conflictsWith(earlier) && belief.meets(earlier)) {
                    findings.add(new Finding("N1", lock + " had two holders: " + earlier + " and " + belief));
                }
            }
            open.add(belief);
        }
        return findings;
    }

    private static @Nullable Finding wrongOwner(Owner owner, List<Belief> beliefs) {
        for (Belief belief : beliefs) {
            boolean during = belief.fromNanos() <= owner.beforeNanos() && owner.afterNanos() <= belief.toNanos();
            if (during && !belief.first.shared() && belief.first.token() != owner.token()) {
                return new Finding(
                        "C38",
                        "asked through " + owner.replica() + " from " + owner.beforeNanos() + " to "
                                + owner.afterNanos() + ", the cell named token " + owner.token() + " as holder of "
                                + owner.lock() + ", but all that time it was held by " + belief);
            }
        }
        return null;
    }
}
