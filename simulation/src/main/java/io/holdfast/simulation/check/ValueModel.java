package io.holdfast.simulation.check;

import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Persistent values and their versions, straight after F5. */
final class ValueModel {
    private final Map<String, Long> versions = new TreeMap<>();
    /** Revisions at which each value was set or deleted. */
    private final Map<String, TreeSet<Long>> changes = new TreeMap<>();

    boolean exists(String path) {
        return versions.containsKey(path);
    }

    /**
     * What is wrong with the outcome of a put or delete, or null. Follows it if it was carried out.
     *
     * @param revision newest revision before
     */
    @Nullable
    String follow(Operation operation, Outcome outcome, long revision) {
        if (operation instanceof Operation.Put put) {
            return put(put, outcome, revision);
        }
        if (operation instanceof Operation.Delete delete) {
            return delete(delete, outcome, revision);
        }
        return operation instanceof Operation.Batch batch ? batch(batch, outcome, revision) : null;
    }

    /** The first revision after {@code seen} at which the value at a path was set or deleted; null if it was not. */
    @Nullable
    Long changedAfter(String path, long seen) {
        TreeSet<Long> all = changes.get(path);
        return all == null ? null : all.higher(seen);
    }

    private void changed(String path, long revision) {
        changes.computeIfAbsent(path, unseen -> new TreeSet<>()).add(revision);
    }

    /** Item by item on the side, then all of it or nothing. */
    private @Nullable String batch(Operation.Batch batch, Outcome outcome, long revision) {
        Map<String, Long> after = new TreeMap<>(versions);
        List<Long> expected = new ArrayList<>();
        boolean changes = false;
        for (Operation.BatchItem item : batch.items()) {
            String path = item.path().value();
            Long version = after.get(path);
            boolean exists = version != null || !(item instanceof Operation.Delete);
            if (!exists || !fits(item.expectedVersion(), version)) {
                boolean named = outcome instanceof Outcome.BatchRefused refused && refused.item() == expected.size();
                return named ? null : "the batch should have been refused for its item " + expected.size();
            }
            if (item instanceof Operation.Put) {
                after.put(path, version == null ? 0 : version + 1);
            } else if (item instanceof Operation.Delete) {
                after.remove(path);
            }
            changes |= !(item instanceof Operation.Check);
            Long left = after.get(path);
            expected.add(left != null ? left : version != null ? version : Operation.MUST_NOT_EXIST);
        }
        if (!(outcome instanceof Outcome.Batched batched) || !batched.versions().equals(expected)) {
            return "a batch that fits should have come to " + expected;
        }
        versions.clear();
        versions.putAll(after);
        for (Operation.BatchItem item : batch.items()) {
            if (!(item instanceof Operation.Check)) {
                changed(item.path().value(), batched.revision());
            }
        }
        return !changes || batched.revision() > revision
                ? null
                : "revision " + batched.revision() + " after " + revision;
    }

    private @Nullable String put(Operation.Put put, Outcome outcome, long revision) {
        String path = put.path().value();
        Long version = versions.get(path);
        if (!fits(put.expectedVersion(), version)) {
            return outcome instanceof Outcome.Failed ? null : "a put of another version was carried out";
        }
        if (!(outcome instanceof Outcome.Written written)) {
            return "a put that fits was refused: " + outcome;
        }
        long next = version == null ? 0 : version + 1;
        versions.put(path, next);
        changed(path, written.revision());
        if (written.version() != next || written.created() != (version == null)) {
            return "version " + written.version() + " instead of " + next;
        }
        return written.revision() > revision ? null : "revision " + written.revision() + " after " + revision;
    }

    private @Nullable String delete(Operation.Delete delete, Outcome outcome, long revision) {
        String path = delete.path().value();
        Long version = versions.get(path);
        if (version == null || !fits(delete.expectedVersion(), version)) {
            return outcome instanceof Outcome.Failed ? null : "a delete that does not fit was carried out";
        }
        if (!(outcome instanceof Outcome.Deleted deleted)) {
            return "a delete that fits was refused: " + outcome;
        }
        versions.remove(path);
        changed(path, deleted.revision());
        return deleted.revision() > revision ? null : "revision " + deleted.revision() + " after " + revision;
    }

    private static boolean fits(long expected, @Nullable Long version) {
        if (expected == Operation.ANY_VERSION) {
            return true;
        }
        return expected == Operation.MUST_NOT_EXIST ? version == null : version != null && version == expected;
    }
}
