package io.holdfast.chaos.run;

import io.holdfast.chaos.fault.FaultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * What a run must have seen for its silence to mean something. A run that found no broken promise is green only if nothing
 * is missing here: otherwise its faults may have had no effect, or its checks may have looked at nothing.
 *
 * <p><b>Thread:</b> one.
 */
final class Evidence {
    /** Of all keys; the histories of more could not be judged. */
    static final int MAX_UNDECIDED_PERCENT = 5;
    /** A single attempt may meet an idle relay or a disk that nobody writes to; so many cannot all. */
    static final int ATTEMPTS_THAT_MUST_REACH = 2;

    private static final int PERCENT = 100;

    private final List<String> missing = new ArrayList<>();

    /**
     * Each kind that was tried had an effect. A run in which every kind had its turn was long enough for all of them; in a
     * shorter one a kind is excused as long as it was tried only once.
     *
     * @param done how often a kind was tried
     * @param reached how often it was seen to have an effect
     */
    Evidence faults(List<FaultKind> kinds, ToIntFunction<FaultKind> done, ToIntFunction<FaultKind> reached) {
        boolean longEnough = kinds.stream().allMatch(kind -> done.applyAsInt(kind) > 0);
        int attempts = longEnough ? 1 : ATTEMPTS_THAT_MUST_REACH;
        for (FaultKind kind : kinds) {
            if (done.applyAsInt(kind) >= attempts && reached.applyAsInt(kind) == 0) {
                missing.add(kind.label() + " was tried " + done.applyAsInt(kind) + " times and had no effect");
            }
        }
        if (kinds.stream().allMatch(kind -> reached.applyAsInt(kind) == 0)) {
            missing.add("no fault had an effect");
        }
        return this;
    }

    /**
     * Every replica's syncs went through its disk shim; without it no disk is slow, and a power cut takes nothing back.
     *
     * @param syncs counted by the shim, by replica
     */
    Evidence shims(Map<String, Long> syncs) {
        syncs.forEach((replica, count) -> {
            if (count == 0) {
                missing.add("the disk shim of " + replica + " counted no fsync");
            }
        });
        return this;
    }

    /**
     * Rounds in which the cell had to serve were judged.
     *
     * @param spared rounds whose faults left a majority
     * @param judged those of them in which no other replica was absent
     */
    Evidence service(int spared, int judged) {
        if (spared > 0 && judged == 0) {
            missing.add(spared
                    + " rounds of faults left a majority, but others were absent in all: none was judged for N6");
        }
        return this;
    }

    /** @param undecided keys whose histories the checker gave up on */
    Evidence values(int keys, int undecided) {
        if ((long) undecided * PERCENT > (long) keys * MAX_UNDECIDED_PERCENT) {
            missing.add("the histories of " + undecided + " of " + keys + " values could not be judged");
        }
        return this;
    }

    /** In words, one each; empty if a green verdict is deserved. */
    List<String> missing() {
        return List.copyOf(missing);
    }
}
