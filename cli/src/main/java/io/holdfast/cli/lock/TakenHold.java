package io.holdfast.cli.lock;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A hold or a lead, as {@link LockSession} sees it. <b>Thread:</b> any. */
interface TakenHold {
    String path();

    /** The fencing token. */
    long token();

    /** How much of the local lease is left; 0 if it is not held at this moment. */
    long remainingNanos();

    /** How long the cell waits for what an operator ended (R3.6), at most; 0 if it does not. */
    long stopWithinNanos();

    /**
     * Tells why it was lost, once; on another thread, or at once. What an operator ended goes to nobody else before the listener
     * returns.
     */
    void onLost(Consumer<String> listener);

    /**
     * Begins to give it back; it is not held from here on. Completed when the cell has answered or the session is over, for as long
     * as that takes; or fails with what the client throws.
     */
    CompletableFuture<?> release();

    /** Whether it may be acted on right now. */
    default boolean isHeld() {
        return remainingNanos() > 0;
    }
}
