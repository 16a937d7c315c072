package io.holdfast.client;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.client.session.SessionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to take several locks, one after the other.
 *
 * <p><b>Thread:</b> any; goes on on the client's loop, which it does not keep.
 *
 * <p><b>Invariants:</b> 1. Either the result holds all, or every hold that there was is being released: an end happens once. 2. At most
 * one lock is asked for at a time, in order. 3. What comes in after the end is given back.
 */
final class MultiAcquire {
    private final CallDesk desk;
    private final HoldRegistry registry;
    private final List<AcquireSpec> specs;
    /** When the waiting in queues is over; {@link Long#MAX_VALUE} for never. On the client's clock. */
    private final long waitEndNanos;
    /** When the cell must have answered the last; {@link Long#MAX_VALUE} for never. */
    private final long answerEndNanos;

    private final CompletableFuture<Optional<MultiHold>> result = new CompletableFuture<>();
    /** In order. Guarded by this. */
    private final List<LockHold> held = new ArrayList<>();
    /** Used by one step after the other. */
    private final List<Subscription> losses = new ArrayList<>();
    /** Guarded by this. */
    private @Nullable CompletableFuture<Optional<LockHold>> asking;
    /** All are held. Guarded by this. */
    private boolean complete;
    /** Guarded by this. */
    private boolean over;

    MultiAcquire(CallDesk desk, HoldRegistry registry, List<AcquireSpec> specs, long waitNanos) {
        this.desk = desk;
        this.registry = registry;
        this.specs = specs;
        long now = now();
        this.waitEndNanos = later(now, waitNanos);
        this.answerEndNanos = later(waitEndNanos, desk.timeoutNanos());
    }

    private static long later(long from, long byNanos) {
        long sum = from + byNanos;
        return byNanos == Long.MAX_VALUE || (from > 0 && sum < 0) ? Long.MAX_VALUE : sum;
    }

    private long now() {
        return desk.loop.clock().nanos();
    }

    /** Completed on the client's loop. */
    CompletableFuture<Optional<MultiHold>> result() {
        return result;
    }

    void start() {
        askNext();
    }

    private void askNext() {
        AcquireSpec spec;
        synchronized (this) {
            if (over) {
                return;
            }
            spec = specs.get(held.size());
        }
        long now = now();
        long wait = waitEndNanos == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, waitEndNanos - now);
        long answer = answerEndNanos == Long.MAX_VALUE
                ? desk.timeoutNanos()
                : Math.min(desk.timeoutNanos(), answerEndNanos - now);
        if (answer <= 0) {
            end(() -> result.complete(Optional.empty()));
            return;
        }
        CompletableFuture<Optional<LockHold>> ask =
                desk.onLoop(registry.tryAcquire(desk), id -> new SessionEvent.Acquire(id, spec, wait, answer));
        boolean late;
        synchronized (this) {
            asking = ask;
            late = over;
        }
        if (late) {
            ask.cancel(true);
        }
        var unused = ask.whenComplete(this::answered);
    }

    private void answered(@Nullable Optional<LockHold> found, @Nullable Throwable problem) {
        if (problem != null) {
            Throwable cause =
                    problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
            end(() -> result.completeExceptionally(cause));
        } else if (found == null || found.isEmpty()) {
            end(() -> result.complete(Optional.empty()));
        } else {
            add(found.get());
        }
    }

    private void add(LockHold hold) {
        List<LockHold> all;
        synchronized (this) {
            if (over) {
                var unused = hold.begin(); // invariant 3
                return;
            }
            held.add(hold);
            complete = held.size() == specs.size();
            all = List.copyOf(held);
        }
        if (all.size() == specs.size()) {
            losses.forEach(Subscription::close);
            result.complete(Optional.of(new MultiHold(desk, all)));
        } else {
            losses.add(hold.onLost(this::lostMeanwhile));
            askNext();
        }
    }

    private void lostMeanwhile(LockHold lost, String reason) {
        synchronized (this) {
            if (complete) {
                return; // from now on it is for whoever gets them to hear of it
            }
        }
        end(() -> result.completeExceptionally(new HoldLostException(lost + " was lost (" + reason
                + ") while another lock was waited for; none of them is held, and all are given back")));
    }

    /** Nothing is held any more. Only the first end counts. */
    void cancel() {
        end(() -> result.cancel(true));
    }

    private void end(Runnable tell) {
        List<LockHold> back;
        CompletableFuture<Optional<LockHold>> asked;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            back = List.copyOf(held);
            asked = asking;
        }
        if (asked != null) {
            asked.cancel(true);
        }
        for (int i = back.size() - 1; i >= 0; i--) {
            var unused = back.get(i).begin();
        }
        tell.run();
    }

    Optional<MultiHold> await() throws InterruptedException {
        try {
            result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
        return handOver();
    }

    /** A grant counts only if the session is SAFE when it is handed to the application (R4.3); so for all of them. */
    Optional<MultiHold> handOver() {
        Optional<MultiHold> found;
        try {
            found = result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
        if (found.isPresent() && !found.get().isHeld()) {
            cancel();
            throw new HoldLostException(found.get()
                    + " were granted, but one was lost or the local lease ended before they could be handed over;"
                    + " none of them counts, and all are given back");
        }
        return found;
    }
}
