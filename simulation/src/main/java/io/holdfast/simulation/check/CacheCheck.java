package io.holdfast.simulation.check;

import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one client reads, cached or not.
 *
 * <p><b>Checks:</b> at the instant at which a cached read is answered, nothing newer is committed: so it is never older than the
 * newest write that was acknowledged to anybody before it began (R6.3). And what one client reads, one read after the other, never
 * goes back in time, whether it comes from the cache or from the cell.
 */
public final class CacheCheck {
    private final Checks checks;
    private final Coverage coverage;
    private final String who;
    /** Newest that was read of each path, by revision. */
    private final Map<NodePath, Long> newest = new TreeMap<>();

    public CacheCheck(Checks checks, Coverage coverage, String who) {
        this.checks = checks;
        this.coverage = coverage;
        this.who = who;
    }

    /** A new life: what the former one read is forgotten. */
    public void forget() {
        newest.clear();
    }

    /** The cache has answered. */
    public void cached(Answer.Value answer) {
        coverage.seen(answer.value() == null ? Seen.READ_CACHED_ABSENT : Seen.READ_CACHED);
        Answer.Value present = (Answer.Value) checks.present(new Query.GetValue(answer.path()));
        boolean same = (answer.value() == null) == (present.value() == null)
                && answer.createRevision() == present.createRevision()
                && answer.modifyRevision() == present.modifyRevision()
                && answer.version() == present.version();
        if (!same) {
            throw new Violation(
                    "cached read (R6)",
                    who + " is answered " + shown(answer) + " from its cache, and there is " + shown(present));
        }
    }

    /** A read was answered that began when the one before it had been. */
    public void read(Answer.Value answer) {
        if (answer.value() == null) {
            return; // when it went is not told
        }
        long before = newest.getOrDefault(answer.path(), 0L);
        if (answer.modifyRevision() < before) {
            throw new Violation(
                    "reads never go back", who + " read " + shown(answer) + " after that of revision " + before);
        }
        newest.put(answer.path(), answer.modifyRevision());
    }

    private static String shown(Answer.Value value) {
        return value.value() == null
                ? "no " + value.path()
                : value.path() + " of version " + value.version() + ", revision " + value.modifyRevision();
    }
}
