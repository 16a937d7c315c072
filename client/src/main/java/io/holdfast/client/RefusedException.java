package io.holdfast.client;

import io.holdfast.model.ErrorCode;

/** The request was refused; {@link #reason} and the message say why. Repeating it unchanged will not help. */
public class RefusedException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode reason;

    RefusedException(ErrorCode reason, String message) {
        super(reason.name(), Outcome.DEFINITE_NOT_DONE, message);
        this.reason = reason;
    }

    public ErrorCode reason() {
        return reason;
    }
}
