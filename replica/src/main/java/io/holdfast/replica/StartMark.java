package io.holdfast.replica;

import io.holdfast.raft.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Whether it is on record that this replica takes part, and what waits for that: the first thing in its log is durable, and
 * nothing that it promises may be told before a lost log would be noticed (R8.2).
 *
 * <p>The log comes first and the mark second, so that a crash between the two leaves a log without a mark, which is no
 * damage, and never a mark without a log, which looks like a lost one.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Source:</b> ADR 0002.
 */
final class StartMark {
    private enum State {
        NEW,
        RECORDING,
        RECORDED
    }

    private final IdentityStore identity;
    private final Consumer<Runnable> post;
    /** In order. Bounded by what the cores keep waiting for the log. */
    private final List<Runnable> waiting = new ArrayList<>();

    private State state;

    /**
     * @param recorded whether an earlier life recorded it
     * @param post brings an action back to the loop
     */
    StartMark(IdentityStore identity, boolean recorded, Consumer<Runnable> post) {
        this.identity = identity;
        this.post = post;
        this.state = recorded ? State.RECORDED : State.NEW;
    }

    boolean isRecorded() {
        return state == State.RECORDED;
    }

    /** Has it recorded, unless that was done or begun; call it only when the log holds something durable. */
    void record() {
        if (state == State.NEW) {
            state = State.RECORDING;
            identity.started(() -> post.accept(this::recorded));
        }
    }

    /** Runs {@code action} when it is on record: at once, or in a later turn. Has it recorded. */
    void afterwards(Runnable action) {
        if (isRecorded()) {
            action.run();
        } else {
            waiting.add(action);
            record();
        }
    }

    private void recorded() {
        Invariants.check(state == State.RECORDING, "the start is recorded twice");
        state = State.RECORDED;
        List<Runnable> ready = new ArrayList<>(waiting);
        waiting.clear();
        ready.forEach(Runnable::run);
    }
}
