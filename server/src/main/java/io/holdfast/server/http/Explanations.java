package io.holdfast.server.http;

import io.holdfast.client.HoldfastException;
import io.holdfast.client.RefusedException;
import io.holdfast.model.ErrorCode;
import io.holdfast.server.http.wire.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a caller is told when a call on the cell failed. */
final class Explanations {
    private static final Logger log = LoggerFactory.getLogger(Explanations.class);

    private Explanations() {}

    static Problem of(Throwable cause) {
        if (cause instanceof RefusedException refused) {
            return refusal(refused);
        }
        if (cause instanceof HoldfastException unanswered) {
            return Problem.unavailable(message(unanswered), outcome(unanswered));
        }
        log.error("an HTTP request failed", cause);
        return new Problem(500, "INTERNAL", "the request failed; the server's log says why");
    }

    private static Problem refusal(RefusedException refused) {
        ErrorCode reason = refused.reason();
        return switch (reason) {
            case UNAVAILABLE -> Problem.unavailable(message(refused), outcome(refused));
            case BUSY -> Problem.busy(message(refused));
            case INVALID -> new Problem(400, reason.name(), message(refused));
            case FORBIDDEN -> new Problem(403, reason.name(), message(refused));
            case NOT_FOUND -> new Problem(404, reason.name(), message(refused));
            case EXISTS, BAD_VERSION -> new Problem(412, reason.name(), message(refused));
            case TOO_LARGE -> new Problem(413, reason.name(), message(refused));
            case INTERNAL -> new Problem(500, reason.name(), message(refused));
            case STATE_FULL, LIMIT -> new Problem(507, reason.name(), message(refused));
            default -> new Problem(409, reason.name(), message(refused));
        };
    }

    private static String message(HoldfastException problem) {
        return String.valueOf(problem.getMessage());
    }

    private static Problem.Outcome outcome(HoldfastException problem) {
        return problem.outcome() == HoldfastException.Outcome.DEFINITE_NOT_DONE
                ? Problem.Outcome.DEFINITE
                : Problem.Outcome.UNKNOWN;
    }
}
