package io.holdfast.cli.support;

import io.holdfast.cli.support.CliException.Fate;
import io.holdfast.client.HoldLostException;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.JeopardyException;
import io.holdfast.client.RefusedException;
import io.holdfast.client.SessionExpiredException;

/** What the client library threw, as what the command exits with. */
public final class ClientErrors {
    private ClientErrors() {}

    /** The status of {@code docs/cli.md}, the code and message of the exception, and what is known of the outcome. */
    public static CliException translate(HoldfastException error) {
        return CliException.of(status(error), error.code(), fate(error), String.valueOf(error.getMessage()), error);
    }

    private static ExitStatus status(HoldfastException error) {
        if (error instanceof RefusedException refused) {
            return switch (refused.reason()) {
                case UNAVAILABLE, BUSY -> ExitStatus.UNREACHABLE;
                default -> ExitStatus.REFUSED;
            };
        } else if (error instanceof HoldLostException || error instanceof JeopardyException) {
            return ExitStatus.LOST;
        } else if (error instanceof SessionExpiredException expired && expired.isToldByCell()) {
            return ExitStatus.LOST;
        }
        // Unreachable, of unknown outcome, or the session died because nobody answered.
        return ExitStatus.UNREACHABLE;
    }

    private static Fate fate(HoldfastException error) {
        return error.outcome() == HoldfastException.Outcome.UNKNOWN ? Fate.UNKNOWN : Fate.NOT_DONE;
    }
}
