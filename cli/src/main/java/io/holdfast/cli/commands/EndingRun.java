package io.holdfast.cli.commands;

import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.ClientErrors;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Durations;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.GlobalOptions;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.RefusedException;
import io.holdfast.client.UnknownOutcomeException;
import io.holdfast.client.UnreachableException;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cell to end some things until all are gone, for the call timeout at most over all of them and from its making on, and says
 * for whom it waits (R3.6).
 *
 * <p>All are asked for at once, so that neither an end nor an unreachable cell is waited for once for each. Asking again is what makes it
 * survive a fail-over: a new leader knows nothing of what its predecessor was ending.
 *
 * <p><b>Thread:</b> one.
 */
final class EndingRun {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The client's own word on a call that began with the run is worth waiting for: it knows whether anything was sent. */
    private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** One question to the cell; empty if the thing is not there, or not any more. */
    interface Question {
        CompletableFuture<Optional<Outcome.BeingEnded>> ask();

        /** What the cell refuses as not found is not there. */
        static Question of(Supplier<CompletableFuture<Outcome.BeingEnded>> call) {
            return () -> call.get().handle((ending, problem) -> {
                if (problem == null) {
                    return Optional.of(ending);
                }
                Throwable cause = problem instanceof CompletionException && problem.getCause() != null
                        ? problem.getCause()
                        : problem;
                if (cause instanceof RefusedException refused && refused.reason() == ErrorCode.NOT_FOUND) {
                    return Optional.empty();
                }
                throw new CompletionException(cause);
            });
        }
    }

    /** One thing that is to be ended, and what came of it. */
    static final class Order {
        private final String what;
        private final Question question;
        private boolean isOver;
        private boolean said;
        private Outcome.@Nullable BeingEnded last;
        /** Why nobody answered when it was asked for last; null if somebody did. */
        private @Nullable CliException unanswered;

        private @Nullable CliException failure;

        /** @param what is ended, in words */
        Order(String what, Question question) {
            this.what = what;
            this.question = question;
        }

        /** For whom the cell waited, as it said last; null if the thing was not there, or did not end. */
        Outcome.@Nullable BeingEnded ended() {
            return isOver && failure == null ? last : null;
        }

        /** Why it did not end, or is not known to have; null if it is gone. */
        @Nullable
        CliException failure() {
            return failure;
        }

        /** Nobody has heard of it: it was never there, or had gone by itself. */
        boolean wasNotThere() {
            return isOver && failure == null && last == null;
        }

        private void answered(Optional<Outcome.BeingEnded> ending) {
            unanswered = null;
            last = ending.orElse(last);
            isOver = ending.isEmpty();
        }

        private void failed(HoldfastException why) {
            CliException translated = ClientErrors.translate(why);
            if (isPassing(why)) {
                unanswered = translated;
            } else {
                end(translated);
            }
        }

        private void end(CliException why) {
            failure = why;
            isOver = true;
        }
    }

    private final Console console;
    private final Duration timeout;
    private final boolean quiet;
    private final long startNanos = System.nanoTime();

    EndingRun(Console console, GlobalOptions options) {
        this(console, options.callTimeout(), options.isQuiet());
    }

    EndingRun(Console console, Duration timeout, boolean quiet) {
        this.console = console;
        this.timeout = timeout;
        this.quiet = quiet;
    }

    /**
     * Returns when each is gone or has failed.
     *
     * @param over told of each when that is known
     */
    void run(List<Order> orders, Consumer<Order> over) {
        List<Order> open = new ArrayList<>(orders);
        while (true) {
            askAll(open);
            if (leftNanos() <= 0) {
                open.stream().filter(order -> !order.isOver).forEach(order -> order.end(outOfTime(order)));
            }
            open.stream().filter(order -> order.isOver).forEach(over);
            open.removeIf(order -> order.isOver);
            if (open.isEmpty()) {
                return;
            }
            open.forEach(this::say);
            LockSupport.parkNanos(Math.min(PAUSE_NANOS, Math.max(1, leftNanos())));
        }
    }

    private long leftNanos() {
        return timeout.toNanos() - (System.nanoTime() - startNanos);
    }

    private void askAll(List<Order> open) {
        List<CompletableFuture<Optional<Outcome.BeingEnded>>> asked =
                open.stream().map(order -> order.question.ask()).toList();
        for (int i = 0; i < open.size(); i++) {
            hear(open.get(i), asked.get(i));
        }
    }

    private void hear(Order order, CompletableFuture<Optional<Outcome.BeingEnded>> answer) {
        try {
            order.answered(answer.get(Math.max(0, leftNanos() + MARGIN_NANOS), TimeUnit.NANOSECONDS));
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof HoldfastException why)) {
                throw new IllegalStateException(failed.getCause());
            }
            order.failed(why);
        } catch (TimeoutException late) {
            order.unanswered = CliException.of(
                    ExitStatus.UNREACHABLE,
                    "UNKNOWN_OUTCOME",
                    CliException.Fate.UNKNOWN,
                    "no answer from a leader within " + Durations.format(timeout),
                    late);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("nobody interrupts a command", e);
        }
    }

    private static boolean isPassing(HoldfastException why) {
        return why instanceof RefusedException refused
                ? refused.reason() == ErrorCode.UNAVAILABLE || refused.reason() == ErrorCode.BUSY
                : why instanceof UnknownOutcomeException || why instanceof UnreachableException;
    }

    private void say(Order order) {
        Outcome.BeingEnded ending = order.last;
        if (ending == null || order.unanswered != null || order.said || quiet) {
            return;
        }
        boolean waits = ending.session() != null && !ending.acknowledged();
        boolean soon = System.nanoTime() - startNanos < 2 * PAUSE_NANOS;
        if (waits && !soon) {
            order.said = true;
            console.note("holdfast: waiting for " + whom(ending) + " to let go of " + order.what
                    + "; without its word it ends in " + Durations.format(Duration.ofMillis(ending.waitMillis()))
                    + " at the latest");
        }
    }

    private static CliException outOfTime(Order order) {
        Outcome.BeingEnded last = order.last;
        CliException unanswered = order.unanswered;
        if (last == null) {
            return Objects.requireNonNull(unanswered, "what was asked is answered, or not");
        }
        if (unanswered != null) {
            return CliException.of(
                    ExitStatus.UNREACHABLE,
                    "UNKNOWN",
                    CliException.Fate.UNKNOWN,
                    order.what + " was being ended, but the cell has stopped answering: " + unanswered.getMessage(),
                    unanswered);
        }
        return CliException.of(
                ExitStatus.NOT_ACQUIRED,
                "WAITING",
                order.what + " is still being ended: the cell waits for " + whom(last) + ", and "
                        + Durations.format(Duration.ofMillis(last.waitMillis()))
                        + " more at the latest; ask again, or give a longer --call-timeout");
    }

    private static String whom(Outcome.BeingEnded ending) {
        if (ending.session() == null) {
            return "its own log";
        }
        String name = ending.clientName().isEmpty() ? "its client" : ending.clientName();
        return name + " (session " + ending.session() + ")";
    }
}
