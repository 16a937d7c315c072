package io.holdfast.cli.lock;

/** A hold or a lead, as {@link LockSession} sees it. <b>Thread:</b> any. */
interface TakenHold extends HeldLock {
    String path();

    /** The fencing token. */
    long token();

    /** Gives it back and waits for the answer; throws what the client throws. */
    void release();

    /** Whether it may be acted on right now. */
    default boolean isHeld() {
        return remainingNanos() > 0;
    }
}
