package io.holdfast.cli.process;

import java.util.concurrent.CompletableFuture;

/**
 * A command that was started, and whatever it started in its group.
 *
 * <p><b>Thread:</b> one, but the futures complete on others. Nothing here blocks for longer than a pipe write, but
 * {@link #finish()}.
 */
public interface CommandGroup {
    /** Completes when the command itself has ended; others of its group may still run. */
    CompletableFuture<?> onExit();

    /** Completes when the watchdog has ended. */
    CompletableFuture<?> onUnguarded();

    boolean isCommandAlive();

    /** Whether KILL ended the command itself, whoever sent it. Only once it has ended. */
    boolean wasKilled();

    /** Whether it is known that nothing of the group is left. */
    boolean isGone();

    /** Whether the watchdog still stands beside it. Without one nothing ends it if this process is stopped. */
    boolean isGuarded();

    /** Tells the watchdog of a lease that was renewed; until told otherwise it acts when that ends. */
    void lease(ChildLease lease);

    /**
     * Passes a signal on to the group. Where the watchdog has no clock, its idea of the lease begins anew with it, so tell it
     * before and after.
     */
    void signal(String name);

    /**
     * Asks the group to end, once; the watchdog kills it after {@code killAfterNanos} or at the end of the lease, and so should
     * the caller, who judges alone from now on whether the lease was over.
     */
    void term(long killAfterNanos);

    /** Kills the group. Returns at once; call again until {@link #isGone()}. */
    void kill();

    /** Ends the watchdog. Blocks for a moment. Returns whether it had acted by itself because the lease ran out. */
    boolean finish();
}
