package io.holdfast.model;

/** Why something was not done. Names and numbers are part of the formats and of the API, and never change. */
public enum ErrorCode {
    /** The request itself is wrong; the message names the field. */
    INVALID(1),
    /** No such node, place or session. */
    NOT_FOUND(2),
    /** It exists, but must not. */
    EXISTS(3),
    /** Compare-and-set: the version is another one. */
    BAD_VERSION(4),
    /** A lock where a value was asked for, or the other way round. */
    WRONG_KIND(5),
    /** The node has children. */
    NOT_EMPTY(6),
    /** The place belongs to another session, or its token is another one. */
    NOT_OWNER(7),
    /** The session has ended. */
    SESSION_EXPIRED(8),
    /** The cell's state has reached its limit; releases and deletes still work. */
    STATE_FULL(9),
    /** A value, path or list is over its limit. */
    TOO_LARGE(10),
    /** This request id lies at or below the session's watermark (R2.7): refused, and never applied now. */
    REQUEST_OLD(11),
    /** Too many requests of this session are not yet acknowledged (R2.7). */
    REQUEST_WINDOW(12),
    /** The request was cancelled before it arrived. */
    CANCELLED(13),
    /** The secret does not fit the session, or the caller may not do this. */
    FORBIDDEN(14),
    /** No leader, or no majority: try again. */
    UNAVAILABLE(15),
    /** Too much is waiting: try again later. */
    BUSY(16),
    /** A session or a session's nodes are at their limit. */
    LIMIT(17),
    /** A later attachment of this session took over (R6.4). */
    REPLACED(18),
    /** A bug; the message is safe to show. */
    INTERNAL(19),
    /** The places that are there state another number of permits; or there are permits where a lock is asked for, or a lock. */
    PERMITS_DIFFER(40),
    /** Its time passed while it waited for clients to let go of what they cache (R6.3): never written, and never will be. */
    WITHDRAWN(70);

    private final int code;

    ErrorCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The code with the given number, {@link #INTERNAL} for one from a newer version. */
    public static ErrorCode of(int number) {
        for (ErrorCode code : values()) {
            if (code.code == number) {
                return code;
            }
        }
        return INTERNAL;
    }
}
