package io.holdfast.client;

import io.holdfast.model.ErrorCode;

/** Compare-and-set: the value's version is another one, or it exists although it must not. Read it again. */
public final class BadVersionException extends RefusedException {
    private static final long serialVersionUID = 1L;

    BadVersionException(ErrorCode reason, String message) {
        super(reason, message);
    }
}
