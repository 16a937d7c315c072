package io.holdfast.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One member's way through a {@link DoubleBarrier}: it has entered, and may leave.
 *
 * <p><b>Thread:</b> any, but one leave at a time.
 */
public final class BarrierPass implements AutoCloseable {
    private final DoubleBarrier barrier;
    private final Membership entrance;
    /** Tokens at the entrance of all who are in this round. */
    private final List<Long> round;
    /** At the exit; null before. Guarded by this. */
    private @Nullable Membership exit;

    BarrierPass(DoubleBarrier barrier, Membership entrance, List<Long> round) {
        this.barrier = barrier;
        this.entrance = entrance;
        this.round = round;
    }

    /** Members of the round. */
    public int members() {
        return round.size();
    }

    /** Whether the others still count on this member: not in jeopardy, not lost, not left. */
    public boolean isInside() {
        return entrance.isMember();
    }

    /**
     * Returns if the others still count on it.
     *
     * @throws JeopardyException if the local lease is over or in doubt
     * @throws HoldLostException if its session is over, or it has left
     */
    public void ensureInside() {
        entrance.ensureMember();
    }

    /**
     * Waits until all others of the round want to leave too or are gone, without bound; then this member is gone.
     *
     * @throws InterruptedException if interrupted; it still wants to leave, and this may be called again
     * @throws HoldLostException if the session ended meanwhile: nobody waits for it any more
     */
    public void leave() throws InterruptedException {
        leave(Long.MAX_VALUE);
    }

    /**
     * Waits for at most so long.
     *
     * @return false if others are still inside; it still wants to leave, and this may be called again
     */
    public boolean leave(Duration maxWait) throws InterruptedException {
        return leave(Durations.waitNanos(maxWait));
    }

    private boolean leave(long waitNanos) throws InterruptedException {
        standAtExit();
        try (BarrierWatch watch = barrier.watch()) {
            CompletableFuture<Boolean> all = watch.await(state -> state.mayGo(round) ? Boolean.TRUE : null, entrance);
            Optional<Boolean> done = BarrierWatch.get(all, waitNanos);
            if (done.isEmpty()) {
                return false;
            }
        }
        close();
        return true;
    }

    private synchronized void standAtExit() {
        if (exit == null) {
            entrance.ensureMember();
            exit = barrier.exit().join(BarrierState.atExit(entrance.token().value(), round));
        }
    }

    /** Goes at once, without waiting for the others: from the entrance first, so that nobody takes its place there for a new one's. */
    @Override
    public void close() {
        entrance.close();
        Membership atExit;
        synchronized (this) {
            atExit = exit;
        }
        if (atExit != null) {
            atExit.close();
        }
    }

    @Override
    public String toString() {
        return "pass of " + barrier + " with token " + entrance.token();
    }
}
