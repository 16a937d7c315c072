package io.holdfast.cli.lock;

/** What {@link GuardedRun} needs to know of a hold. <b>Thread:</b> any. */
interface HeldLock {
    /** How much of the local lease is left; 0 if the lock is not held at this moment. */
    long remainingNanos();

    /** Calls {@code listener} soon after the hold was lost; may call it on any thread, or at once. */
    void onLost(Runnable listener);
}
