package io.holdfast.client;

import io.holdfast.client.loop.CallListener;
import io.holdfast.client.loop.ClientLoop;
import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls for the API, blocking or not, and cleans up after those that nobody waits for any more.
 *
 * <p><b>Thread:</b> any but the loop's.
 */
final class CallDesk {
    /** The loop answers a cancellation at once; more than enough for it on a busy machine. */
    private static final long CANCEL_NANOS = TimeUnit.SECONDS.toNanos(2);

    final ClientLoop loop;
    final Callbacks callbacks;
    final Duration callTimeout;

    CallDesk(ClientLoop loop, Callbacks callbacks, Duration callTimeout) {
        this.loop = loop;
        this.callbacks = callbacks;
        this.callTimeout = callTimeout;
    }

    /** The same desk, whose calls may take so long. */
    CallDesk withTimeout(Duration timeout) {
        return new CallDesk(loop, callbacks, timeout);
    }

    long timeoutNanos() {
        return callTimeout.toNanos();
    }

    /** How a call is begun at the loop; its id. */
    @FunctionalInterface
    interface Start {
        long with(CallListener listener);
    }

    private Start asking(LongFunction<SessionEvent> event) {
        return listener -> loop.call(event, listener);
    }

    /** What came of a call; exactly one is set. */
    private record Result<T>(
            @Nullable T value,
            @Nullable Failure failure,
            @Nullable HoldfastException refusal) {}

    /** A call under way. Completed by the loop's thread; only this class depends on it. */
    private record Pending<T>(long callId, CompletableFuture<Result<T>> result) {}

    private <T> Pending<T> start(CallKind<T> kind, Start start) {
        CompletableFuture<Result<T>> result = new CompletableFuture<>();
        long id = start.with(new Listener<>(kind, result));
        return new Pending<>(id, result);
    }

    /** Starts a call that cannot be cancelled; completed on the loop's thread. */
    <T> void start(LongFunction<SessionEvent> event, CallKind<T> kind, CompletableFuture<T> target) {
        startInto(target, kind, asking(event));
    }

    <T> void startInto(CompletableFuture<T> target, CallKind<T> kind, Start start) {
        var unused = start(kind, start).result().thenAccept(result -> complete(target, result, kind));
    }

    private record Listener<T>(CallKind<T> kind, CompletableFuture<Result<T>> result) implements CallListener {
        @Override
        public void granted(Hold hold) {
            done(hold);
        }

        @Override
        public void leased(LeasedHold hold) {
            done(hold);
        }

        @Override
        public void completed(Outcome outcome) {
            done(outcome);
        }

        @Override
        public void answered(Answer answer) {
            done(answer);
        }

        @Override
        public void failed(Failure failure) {
            T stand = kind.ofFailure(failure);
            result.complete(stand == null ? new Result<>(null, failure, null) : new Result<>(stand, null, null));
        }

        private void done(Object what) {
            try {
                HoldfastException refusal = kind.refusal(what);
                result.complete(
                        refusal == null ? new Result<>(kind.of(what), null, null) : new Result<>(null, null, refusal));
            } catch (HoldfastException refused) {
                result.complete(new Result<>(null, null, refused));
            } catch (RuntimeException e) { // whatever one answer does, the loop and its holds live on
                String message = "the cell answered with " + what + ", which does not fit the call: " + e;
                failed(new Failure(Failure.Kind.REFUSED, ErrorCode.INTERNAL, false, message));
            }
        }
    }

    /** Waits for the result; an interrupt removes what was asked for. */
    <T> T await(CallKind<T> kind, LongFunction<SessionEvent> event) throws InterruptedException {
        return awaitStarted(kind, asking(event));
    }

    <T> T awaitStarted(CallKind<T> kind, Start start) throws InterruptedException {
        checkMayBlock();
        Pending<T> pending = start(kind, start);
        Result<T> result;
        try {
            result = pending.result().get();
        } catch (InterruptedException e) {
            abandon(pending, kind);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("broken invariant: results are values", e);
        }
        return handOver(result, kind);
    }

    /** Like {@link #await}, but an interrupt is only noted and set again at the end. */
    <T> T awaitUninterruptibly(CallKind<T> kind, LongFunction<SessionEvent> event) {
        checkMayBlock();
        return handOver(Uninterrupted.get(start(kind, asking(event)).result()), kind);
    }

    /** Like {@link #await}, for calls that are answered within the call timeout. */
    <T> T call(CallKind<T> kind, LongFunction<SessionEvent> event) {
        return callStarted(kind, asking(event));
    }

    /** An interrupt cancels it; what the loop says then names the call and its path, and whether it may have been done. */
    <T> T callStarted(CallKind<T> kind, Start start) {
        checkMayBlock();
        Pending<T> pending = start(kind, start);
        try {
            return handOver(pending.result().get(), kind);
        } catch (InterruptedException e) {
            loop.post(new SessionEvent.Cancel(pending.callId()));
            Result<T> result = Uninterrupted.get(pending.result(), CANCEL_NANOS);
            Thread.currentThread().interrupt();
            if (result == null) {
                abandon(pending, kind);
                throw new CallInterruptedException(
                        HoldfastException.Outcome.UNKNOWN, "interrupted while waiting for an answer of the cell");
            }
            return handOver(result, kind); // an answer that came at the same moment counts
        } catch (ExecutionException e) {
            throw new IllegalStateException("broken invariant: results are values", e);
        }
    }

    /** The non-blocking twin: completed on the callbacks' executor; completing it from outside cancels the call. */
    <T> CompletableFuture<T> async(CallKind<T> kind, LongFunction<SessionEvent> event) {
        return asyncStarted(kind, asking(event));
    }

    /** The same, completed on the loop's thread or at once: for steps of a recipe, which must be quick. */
    <T> CompletableFuture<T> onLoop(CallKind<T> kind, LongFunction<SessionEvent> event) {
        return asyncStarted(kind, asking(event), Runnable::run);
    }

    <T> CompletableFuture<T> asyncStarted(CallKind<T> kind, Start start) {
        return asyncStarted(kind, start, callbacks::execute);
    }

    private <T> CompletableFuture<T> asyncStarted(CallKind<T> kind, Start start, Executor completing) {
        CompletableFuture<T> outer = new CompletableFuture<>();
        Pending<T> pending = start(kind, start);
        var unusedHanding =
                pending.result().thenAccept(result -> completing.execute(() -> complete(outer, result, kind)));
        var unusedCancelling = outer.whenComplete((value, problem) -> {
            if (!pending.result().isDone()) {
                loop.post(new SessionEvent.Cancel(pending.callId()));
            }
        });
        return outer;
    }

    private static <T> void complete(CompletableFuture<T> outer, Result<T> result, CallKind<T> kind) {
        T value;
        try {
            value = handOver(result, kind);
        } catch (RuntimeException e) {
            outer.completeExceptionally(e);
            return;
        }
        if (!outer.complete(value)) {
            kind.giveBack(value);
        }
    }

    private static <T> T handOver(Result<T> result, CallKind<T> kind) {
        T value = result.value();
        Failure failure = result.failure();
        HoldfastException refusal = result.refusal();
        if (refusal != null) {
            refusal.fillInStackTrace(); // whose call it was, not the client's loop
            throw refusal;
        }
        if (value == null || failure != null) {
            throw failure == null
                    ? new IllegalStateException("broken invariant: a call without a result")
                    : Failures.toException(failure);
        }
        kind.handingOver(value);
        return value;
    }

    private <T> void abandon(Pending<T> pending, CallKind<T> kind) {
        loop.post(new SessionEvent.Cancel(pending.callId()));
        var unused = pending.result().thenAccept(result -> {
            T value = result.value();
            if (value != null) {
                kind.giveBack(value);
            }
        });
    }

    /** Waits for a future of ours, for at most the call timeout; null if it is not done by then. */
    <T> @Nullable T within(CompletableFuture<T> future) throws InterruptedException {
        checkMayBlock();
        try {
            return future.get(timeoutNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    void checkMayBlock() {
        if (loop.isLoopThread()) {
            throw new IllegalStateException("a blocking call on the client's own thread would wait for itself;"
                    + " give the client an executor that runs callbacks on other threads");
        }
    }

    /** A kind of call whose result is a value made from one type of outcome or answer. */
    static <R, T> CallKind<T> kind(Class<R> type, Function<R, T> convert) {
        return new CallKind<>() {
            @Override
            T of(Object result) {
                return convert.apply(type.cast(result));
            }
        };
    }
}
