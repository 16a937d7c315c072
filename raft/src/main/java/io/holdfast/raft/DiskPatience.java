package io.holdfast.raft;

/**
 * How long a leader bears that its disk holds the cell up: longer after each leader that gave up for that reason lately.
 *
 * <p>One slow disk among fast ones is left at once. Where all stall in turn, every leader finds the others faster, and leads that
 * last seconds would follow each other for ever: each takeover gives all sessions a full lease (R3.3), so that nothing of a
 * dead client would ever end. Doubling ends that within half a minute: then a lead outlasts a lease.
 *
 * <p><b>Thread:</b> the core's. <b>Source:</b> ADR 0013; C72; seed 703492.
 */
final class DiskPatience {
    /** 32 election timeouts, 32 s at the defaults: above the default lease with the time that two slow commits take. */
    static final int MAX_DOUBLINGS = 5;
    /** What happened before so many of the longest election timeouts says nothing about the disks of today. */
    private static final int MEMORY_TIMEOUTS = 30;

    private final ReplicaState state;
    private int leads;
    private long forgottenNanos = Long.MIN_VALUE;

    DiskPatience(ReplicaState state) {
        this.state = state;
    }

    /** So many leaders in a row gave up for their disks, by this replica's own experience or by word of the last one. */
    void ended(int leadsInRow) {
        if (leadsInRow > 0) {
            leads = Math.max(leadsInRow, leadsInRow());
            forgottenNanos = state.now() + MEMORY_TIMEOUTS * state.config.electionMaxNanos();
        }
    }

    /** Leads that ended for a disk and are not forgotten. */
    int leadsInRow() {
        return state.now() < forgottenNanos ? leads : 0;
    }

    /** How long a leader that was preceded by so many bears it. */
    long patienceNanos(int leadsBefore) {
        return state.config.electionMinNanos() << Math.min(leadsBefore, MAX_DOUBLINGS);
    }
}
