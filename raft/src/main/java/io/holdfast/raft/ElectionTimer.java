package io.holdfast.raft;

/**
 * When a replica that does not lead gives up waiting, and whether it still believes in a leader.
 *
 * <p><b>Thread:</b> the core's. <b>Source:</b> thesis §3.4 (randomised timeouts, split votes), §4.2.3 (stickiness); ADR 0013.
 */
final class ElectionTimer {
    /** After so many the wait is longer than an election timeout at the defaults. */
    private static final int MOST_DOUBLINGS = 5;

    private final ReplicaState state;
    private long deadlineNanos;
    private boolean heard;
    private long heardAtNanos;
    /** Votes lost in a row since a leader was heard. */
    private int splitVotes;
    /** A vote was given that is not durable yet. */
    private boolean voteToWrite;
    /** Whoever got the last vote may be expected to be heard as leader until then. */
    private long winnerExpectedUntilNanos = Long.MIN_VALUE;

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
        electionIsOver();
        restart();
    }

    /** Whether a leader spoke within the shortest election timeout; then nobody is helped to depose it (§4.2.3). */
    boolean believesInLeader() {
        return heard && state.now() - heardAtNanos < state.config.electionMinNanos();
    }

    /** This replica gave its vote, perhaps to itself; nothing if it only said again what it had told before. */
    void voted() {
        voteToWrite = !state.durability.hardStateIsDurable();
    }

    /** Something became durable, perhaps the vote: only now the candidate hears of it. */
    void persisted() {
        if (voteToWrite && state.durability.hardStateIsDurable()) {
            voteToWrite = false;
            winnerExpectedUntilNanos = state.now() + state.config.disconnectDelayMaxNanos();
        }
    }

    /** Whether the vote was told so lately that a victory by it may not be known here yet. */
    boolean expectsWinner() {
        return state.now() < winnerExpectedUntilNanos;
    }

    void won() {
        electionIsOver();
    }

    private void electionIsOver() {
        splitVotes = 0;
        voteToWrite = false;
        winnerExpectedUntilNanos = Long.MIN_VALUE;
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

    /**
     * Our vote went to nobody's majority, it seems: asks again soon, long before a whole timeout is over. If somebody did win, it
     * is heard before, or the pre-vote fails and changes nothing. Each further split waits twice as long, so that replicas whose
     * disks are slow to write a vote down do not disturb each other for ever.
     */
    void voteWasSplit() {
        long shortest = Math.max(1, state.config.disconnectDelayMaxNanos() / 2) << Math.min(splitVotes, MOST_DOUBLINGS);
        splitVotes++;
        deadlineNanos = Math.min(deadlineNanos, state.now() + shortest + state.random.next(2 * shortest));
    }

    private long delay() {
        return 1 + state.random.next(Math.max(1, state.config.disconnectDelayMaxNanos()));
    }
}
