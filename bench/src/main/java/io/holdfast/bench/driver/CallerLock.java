package io.holdfast.bench.driver;

/**
 * One caller's way to one lock.
 *
 * <p><b>Thread:</b> acquire and release come from the same one.
 */
public interface CallerLock {
    /** Waits until it is held. */
    void acquire() throws Exception;

    /** Returns when the service has confirmed it. */
    void release() throws Exception;

    /** Asks the service whether what {@link #acquire} took is held still, without a break in between. */
    boolean stillHeld() throws Exception;

    /** The present hold's fencing token, or 0 if the service has none. */
    default long token() {
        return 0;
    }
}
