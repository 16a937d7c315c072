package io.holdfast.raft;

/**
 * When a replica that does not lead gives up waiting, and whether it still believes in a leader.
 *
 * <p><b>Thread:</b> the core's. <b>Source:</b> thesis §3.4 (randomised timeouts), §4.2.3 (stickiness).
 */
final class ElectionTimer {
    private final ReplicaState state;
    private long deadlineNanos;
    private boolean heard;
    private long heardAtNanos;

    ElectionTimer(ReplicaState state) {
        this.state = state;
        restart();
        if (state.isSoleVoter()) {
            deadlineNanos = state.now(); // nobody to wait for
        }
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Waits for another whole timeout, drawn evenly between the shortest and the longest. */
    void restart() {
        RaftConfig config = state.config;
        long spread = config.electionMaxNanos() - config.electionMinNanos();
        deadlineNanos = state.now() + config.electionMinNanos() + state.random.next(spread);
    }

    void heardFromLeader() {
        heard = true;
        heardAtNanos = state.now();
        restart();
    }

    /** Whether a leader spoke within the shortest election timeout; then nobody is helped to depose it (§4.2.3). */
    boolean believesInLeader() {
        return heard && state.now() - heardAtNanos < state.config.electionMinNanos();
    }

    /** The leader's process has probably ended: stop believing in it and ask soon. */
    void leaderDisconnected() {
        heard = false;
        deadlineNanos = Math.min(deadlineNanos, state.now() + delay());
    }

    /** Somebody else is about to stand: an early deadline of our own would only split the vote. */
    void letOtherGoFirst() {
        long later = state.now() + state.config.disconnectDelayMaxNanos() + delay();
        deadlineNanos = Math.max(deadlineNanos, later);
    }

    private long delay() {
        return 1 + state.random.next(Math.max(1, state.config.disconnectDelayMaxNanos()));
    }
}
