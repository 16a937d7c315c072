package io.holdfast.client;

import io.holdfast.client.session.Failure;
import io.holdfast.model.ErrorCode;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Turns failures into the exceptions of the API. */
final class Failures {
    private Failures() {}

    static HoldfastException toException(Failure failure) {
        String message = failure.message();
        HoldfastException.Outcome outcome =
                failure.definite() ? HoldfastException.Outcome.DEFINITE_NOT_DONE : HoldfastException.Outcome.UNKNOWN;
        return switch (failure.kind()) {
            case HELD -> throw new IllegalStateException("broken invariant: no empty answer for " + message);
            case LOST -> new HoldLostException(message);
            case UNREACHABLE -> new UnreachableException(message);
            case UNKNOWN_OUTCOME -> new UnknownOutcomeException(message);
            case SESSION_EXPIRED -> new SessionExpiredException(outcome, message, failure.code() != null);
            case CLOSED -> new ClientClosedException(outcome, message);
            case CANCELLED -> new CallInterruptedException(outcome, message);
            case REFUSED -> refused(failure);
        };
    }

    /** What made a future fail, without what the futures in between wrapped it in. */
    static Throwable causeOf(Throwable problem) {
        Throwable cause = problem.getCause();
        return problem instanceof CompletionException && cause != null ? cause : problem;
    }

    private static RefusedException refused(Failure failure) {
        ErrorCode code = failure.code();
        ErrorCode reason = code == null ? ErrorCode.INTERNAL : code;
        boolean version = reason == ErrorCode.BAD_VERSION || reason == ErrorCode.EXISTS;
        return version
                ? new BadVersionException(reason, failure.message())
                : new RefusedException(reason, failure.message());
    }

    /** Runs a check of input; what it finds wrong is refused with code INVALID before anything is sent. */
    static <T> T checked(Supplier<T> input) {
        try {
            return input.get();
        } catch (IllegalArgumentException e) {
            throw new RefusedException(ErrorCode.INVALID, String.valueOf(e.getMessage()));
        }
    }
}
