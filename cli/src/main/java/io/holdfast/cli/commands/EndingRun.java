package io.holdfast.cli.commands;

import io.holdfast.cli.support.CliException;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cell to end something until it is gone, for the call timeout at most, and says for whom it waits (R3.6).
 *
 * <p>Asking again is what makes it survive a fail-over: a new leader knows nothing of what its predecessor was ending.
 */
final class EndingRun {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** One question to the cell. */
    interface Question {
        Outcome.BeingEnded ask();
    }

    private final Console console;
    private final GlobalOptions options;
    private final long startNanos = System.nanoTime();
    private boolean said;

    EndingRun(Console console, GlobalOptions options) {
        this.console = console;
        this.options = options;
    }

    /**
     * Asks once, so that several ends go on beside each other.
     *
     * @return null if nobody answered
     * @throws RefusedException with NOT_FOUND if it is not there
     */
    Outcome.@Nullable BeingEnded begin(Question question) {
        try {
            return question.ask();
        } catch (RefusedException refused) {
            if (!isPassing(refused)) {
                throw refused;
            }
        } catch (UnknownOutcomeException | UnreachableException nobody) {
            // asked again until the time is over
        }
        return null;
    }

    /**
     * Returns when it is gone, with what was last known of whom the cell waited for.
     *
     * @param what is ended, in words
     * @param begun what {@link #begin} answered, if it was called
     */
    Outcome.BeingEnded run(String what, Outcome.@Nullable BeingEnded begun, Question question) {
        Outcome.BeingEnded last = begun;
        while (true) {
            HoldfastException unanswered = null;
            try {
                last = question.ask();
            } catch (RefusedException refused) {
                if (refused.reason() == ErrorCode.NOT_FOUND && last != null) {
                    return last; // it was there, and is gone
                }
                if (!isPassing(refused)) {
                    throw refused;
                }
                unanswered = refused;
            } catch (UnknownOutcomeException | UnreachableException nobody) {
                unanswered = nobody;
            }
            if (System.nanoTime() - startNanos >= options.callTimeout().toNanos()) {
                throw outOfTime(what, last, unanswered);
            }
            if (last != null && unanswered == null) {
                say(what, last);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static boolean isPassing(RefusedException refused) {
        return refused.reason() == ErrorCode.UNAVAILABLE || refused.reason() == ErrorCode.BUSY;
    }

    private void say(String what, Outcome.BeingEnded ending) {
        boolean waits = ending.session() != null && !ending.acknowledged();
        boolean soon = System.nanoTime() - startNanos < 2 * PAUSE_NANOS;
        if (waits && !said && !soon && !options.isQuiet()) {
            said = true;
            console.note(
                    "holdfast: waiting for " + whom(ending) + " to let go of " + what + "; without its word it ends in "
                            + Durations.format(Duration.ofMillis(ending.waitMillis())) + " at the latest");
        }
    }

    private RuntimeException outOfTime(
            String what, Outcome.@Nullable BeingEnded last, @Nullable HoldfastException unanswered) {
        if (last == null) {
            return unanswered == null ? new IllegalStateException("nothing was asked") : unanswered;
        }
        if (unanswered != null) {
            return CliException.of(
                    ExitStatus.UNREACHABLE,
                    "UNKNOWN",
                    CliException.Fate.UNKNOWN,
                    what + " was being ended, but the cell has stopped answering: " + unanswered.getMessage(),
                    unanswered);
        }
        return CliException.of(
                ExitStatus.NOT_ACQUIRED,
                "WAITING",
                what + " is still being ended: the cell waits for " + whom(last) + ", and "
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
