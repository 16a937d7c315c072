package io.holdfast.bench.run;

import java.util.ArrayList;
import java.util.List;

/** What a benchmark's figures are to reach; says of each whether they do. <b>Thread:</b> one. */
final class Aims {
    private final List<String> missed = new ArrayList<>();

    /** @param what figure and aim, as one line */
    void check(boolean met, String what) {
        System.out.println((met ? "met     " : "MISSED  ") + what);
        if (!met) {
            missed.add(what);
        }
    }

    /**
     * The last word.
     *
     * @throws AimsMissedException if one was missed
     */
    void conclude() {
        if (!missed.isEmpty()) {
            throw new AimsMissedException(missed);
        }
        System.out.println("all aims met");
    }
}
