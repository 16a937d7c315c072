package io.holdfast.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One member's way through a {@link DoubleBarrier}: it has entered, and may leave.
 *
 * <p><b>Thread:</b> any, but one leave at a time.
 */
public final class BarrierPass implements AutoCloseable {
    private static final long AGAIN_MILLIS = 1_000;

    private final DoubleBarrier barrier;
    private final Membership entrance;
    /** Tokens at the entrance of all who are in this round. */
    private final List<Long> round;
    /** Its place at the exit, there or asked for; null before. Guarded by this. */
    private @Nullable CompletableFuture<Membership> exit;

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
     * @throws InterruptedException if interrupted; it still wants to leave, and this may be called again
     * @throws HoldLostException if the session ended meanwhile: nobody waits for it any more
     */
    public boolean leave(Duration maxWait) throws InterruptedException {
        return leave(Durations.waitNanos(maxWait));
    }

    private boolean leave(long waitNanos) throws InterruptedException {
        barrier.checkMayBlock();
        var unused = BarrierWatch.get(standAtExit(), Long.MAX_VALUE); // answered within the call timeout
        try (BarrierWatch watch = barrier.watch()) {
            if (BarrierWatch.get(mayGo(watch), waitNanos).isEmpty()) {
                return false;
            }
        }
        close();
        return true;
    }

    /**
     * The twin of {@link #leave()}. Cancelling it is to {@link #leave()} as an interrupt: it still wants to leave, and this may be
     * called again.
     */
    public CompletableFuture<Void> leaveAsync() {
        return leaving(Long.MAX_VALUE, left -> null);
    }

    /** The twin of {@link #leave(Duration)}; cancelled as {@link #leaveAsync()} is. */
    public CompletableFuture<Boolean> leaveAsync(Duration maxWait) {
        return leaving(Durations.waitNanos(maxWait), left -> left);
    }

    private <T> CompletableFuture<T> leaving(long waitNanos, Function<Boolean, @Nullable T> convert) {
        CompletableFuture<T> left = new CompletableFuture<>();
        CompletableFuture<Membership> standing;
        try {
            standing = standAtExit();
        } catch (HoldfastException outside) {
            return CompletableFuture.failedFuture(outside);
        }
        var unused = standing.whenComplete((there, problem) -> {
            if (problem != null) {
                left.completeExceptionally(problem);
            } else if (!left.isDone()) {
                awaitOthers(waitNanos, left, convert);
            }
        });
        return left;
    }

    private <T> void awaitOthers(long waitNanos, CompletableFuture<T> left, Function<Boolean, @Nullable T> convert) {
        BarrierWatch watch = barrier.watch();
        CompletableFuture<Boolean> all = mayGo(watch).thenApply(found -> found);
        if (waitNanos != Long.MAX_VALUE) {
            all.completeOnTimeout(Boolean.FALSE, waitNanos, TimeUnit.NANOSECONDS);
        }
        var unusedCancelling = left.whenComplete((done, problem) -> all.cancel(true));
        var unused = all.whenCompleteAsync(
                (mayGo, problem) -> {
                    watch.close();
                    if (problem != null) {
                        left.completeExceptionally(Failures.causeOf(problem));
                    } else if (!mayGo) {
                        left.complete(convert.apply(false));
                    } else {
                        var unusedGoing = go().whenComplete((gone, unanswered) -> left.complete(convert.apply(true)));
                    }
                },
                barrier::execute);
    }

    private CompletableFuture<Boolean> mayGo(BarrierWatch watch) {
        return watch.await(state -> state.mayGo(round) ? Boolean.TRUE : null, entrance);
    }

    /** Stands there once, however often it is asked for; one that failed is asked for anew. */
    private synchronized CompletableFuture<Membership> standAtExit() {
        CompletableFuture<Membership> asked = exit;
        if (asked == null || asked.isCompletedExceptionally()) {
            entrance.ensureMember();
            asked = joinExit();
            exit = asked;
            CompletableFuture<Membership> mine = asked;
            var unused = mine.thenAccept(there -> there.onLost((lost, reason) -> standAgain(mine)));
        }
        return asked;
    }

    /**
     * Whose place there is broken even before it hears of it asks for another one, as long as the others count on it; else it fails
     * with why they do not.
     */
    private CompletableFuture<Membership> joinExit() {
        CompletableFuture<Membership> joined =
                barrier.exit().joinAsync(BarrierState.atExit(entrance.token().value(), round));
        return joined.exceptionallyCompose(problem -> {
            Throwable cause = Failures.causeOf(problem);
            if (!(cause instanceof HoldLostException)) {
                return CompletableFuture.failedFuture(cause);
            }
            try {
                entrance.ensureMember();
            } catch (HoldfastException outside) {
                return CompletableFuture.failedFuture(outside);
            }
            return joinExit();
        });
    }

    /** Somebody broke its place at the exit: the others would take it for one that wants to stay, and wait. */
    private void standAgain(CompletableFuture<Membership> lost) {
        synchronized (this) {
            if (exit != lost) {
                return;
            }
            exit = null;
        }
        standAgainSoon();
    }

    private void standAgainSoon() {
        try {
            var unused = standAtExit().whenComplete((there, problem) -> {
                if (problem != null) {
                    standAgainLater();
                }
            });
        } catch (JeopardyException notNow) {
            standAgainLater();
        } catch (HoldfastException outside) {
            return; // nobody waits for it any more
        }
    }

    private void standAgainLater() {
        CompletableFuture.delayedExecutor(AGAIN_MILLIS, TimeUnit.MILLISECONDS, barrier::execute)
                .execute(this::standAgainSoon);
    }

    private synchronized @Nullable CompletableFuture<Membership> exit() {
        return exit;
    }

    /** From the entrance first, so that nobody takes its place there for a new one's. */
    private CompletableFuture<?> go() {
        CompletableFuture<?> out = entrance.leaveAsync();
        CompletableFuture<Membership> atExit = exit();
        return atExit == null ? out : CompletableFuture.allOf(out, atExit.thenCompose(Membership::leaveAsync));
    }

    /** Goes at once, without waiting for the others: from the entrance first, so that nobody takes its place there for a new one's. */
    @Override
    public void close() {
        entrance.close();
        CompletableFuture<Membership> atExit = exit();
        if (atExit != null && atExit.isDone() && !atExit.isCompletedExceptionally()) {
            atExit.join().close();
        } else if (atExit != null) {
            var unused = atExit.thenAccept(there -> {
                var unusedLeaving = there.leaveAsync();
            });
        }
    }

    @Override
    public String toString() {
        return "pass of " + barrier + " with token " + entrance.token();
    }
}
