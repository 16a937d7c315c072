package io.holdfast.client.session;

import io.holdfast.model.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Why a call did not succeed.
 *
 * @param code the cell's reason, for {@link Kind#REFUSED} and {@link Kind#SESSION_EXPIRED}; null where the client itself gave up
 * @param definite true if the call certainly had no effect; false if its fate is unknown
 * @param message what happened, to which path or session, and what to do next
 */
public record Failure(Kind kind, @Nullable ErrorCode code, boolean definite, String message) {
    /** Kinds that a caller tells apart (C119). */
    public enum Kind {
        /** The lock is another's, and the caller did not want to wait (longer). */
        HELD,
        /** A place or grant went: taken away, or answered too late to count (R4.3). */
        LOST,
        /** Nobody answered in time, and nothing was done. */
        UNREACHABLE,
        /** Nobody answered in time, and it may have been done. */
        UNKNOWN_OUTCOME,
        /** The cell said no; {@link Failure#code} says why. */
        REFUSED,
        /** The session is over. */
        SESSION_EXPIRED,
        /** The client was closed. */
        CLOSED,
        /** The caller cancelled. */
        CANCELLED
    }

    static Failure refused(ErrorCode code, String what, String message) {
        return new Failure(Kind.REFUSED, code, true, what + " was refused (" + code + "): " + message);
    }

    static Failure held(String message) {
        return new Failure(Kind.HELD, null, true, message);
    }

    static Failure lost(String message) {
        return new Failure(Kind.LOST, null, true, message);
    }

    static Failure unreachable(String what, String why) {
        return new Failure(
                Kind.UNREACHABLE, null, true, what + ": " + why + "; it was certainly not done, so it may be repeated");
    }

    static Failure notAcquired(String what, String why) {
        return new Failure(
                Kind.UNREACHABLE,
                null,
                true,
                what + ": " + why
                        + "; it is not acquired, and what may be left of it in the queue is removed as soon as"
                        + " the cell answers, or with the session");
    }

    static Failure unknown(String what, String why) {
        return new Failure(
                Kind.UNKNOWN_OUTCOME,
                null,
                false,
                what + ": " + why + "; it may or may not have been done, so look before you repeat it");
    }

    /** @param code null if the client gave the session up by its own clock */
    static Failure sessionExpired(@Nullable ErrorCode code, boolean definite, String what, String why) {
        String fate = definite ? "it was not done" : "it may or may not have been done before the session ended";
        return new Failure(
                Kind.SESSION_EXPIRED,
                code,
                definite,
                what + ": the session is over (" + why + "); " + fate + "; open a new session and start again");
    }

    static Failure closed(boolean definite, String what) {
        String fate = definite ? "it was not done" : "it may or may not have been done";
        return new Failure(Kind.CLOSED, null, definite, what + ": the client was closed; " + fate);
    }

    static Failure cancelled(boolean definite, String what) {
        String fate = definite ? "it was not done" : "it may have been done before";
        return new Failure(Kind.CANCELLED, null, definite, what + ": cancelled by the caller; " + fate);
    }
}
