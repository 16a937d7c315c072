package io.holdfast.simulation.check;

import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Persistent values and their versions, straight after F5. */
final class ValueModel {
    private final Map<String, Long> versions = new TreeMap<>();

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
        return null;
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
        return deleted.revision() > revision ? null : "revision " + deleted.revision() + " after " + revision;
    }

    private static boolean fits(long expected, @Nullable Long version) {
        if (expected == Operation.ANY_VERSION) {
            return true;
        }
        return expected == Operation.MUST_NOT_EXIST ? version == null : version != null && version == expected;
    }
}
