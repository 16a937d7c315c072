package io.holdfast.chaos.fault;

import java.io.IOException;
import java.util.Set;

/**
 * One thing that is done to the cell or its clients, with its targets chosen.
 *
 * <p><b>Thread:</b> one.
 */
interface Fault {
    /** To whom, and how much, for the report. */
    String target();

    /** Sessions that may be lost by it if it lasts, as {@code client/session}, or {@code client/*} for all of a process. */
    default Set<String> hitSessions() {
        return Set.of();
    }

    /**
     * Names of the replicas that the cell may have to do without while it lasts; the others and the network between them
     * are as they were, so that a majority of them must go on serving (N2, N6). Each fault decides for itself.
     */
    Set<String> impaired();

    /** How much longer the syncs of all replicas take. */
    default long syncDelayMillis() {
        return 0;
    }

    void begin() throws IOException;

    /** Takes it back, and returns whether it was seen to have had an effect. */
    boolean end() throws IOException;
}
