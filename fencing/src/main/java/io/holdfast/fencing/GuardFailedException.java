package io.holdfast.fencing;

/**
 * A guard could not be asked: its file or database failed, or what it stored is damaged. The write must not be made. The
 * token was <em>not refused</em>, so the caller may ask again; whether it was remembered is unknown, which does no harm, as
 * it was granted. The cause says more.
 */
public final class GuardFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GuardFailedException(String message) {
        super(message);
    }

    public GuardFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
