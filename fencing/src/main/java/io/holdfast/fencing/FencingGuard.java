package io.holdfast.fencing;

import org.jspecify.annotations.Nullable;

/**
 * Stands before a resource that a lock protects, and refuses a writer whose grant a newer one has overtaken.
 *
 * <p>No lock service can stop a process that is paused between asking "do I still hold it?" and its next write. The resource
 * can: it remembers, for each lock, the highest token that it accepted, and refuses a shared token below the highest
 * exclusive one and an exclusive token below the highest of all ({@link Fence}). An equal token is accepted: one holder
 * writes many times.
 *
 * <p><b>All who write to the resource must use the same guard</b>, kept where the resource is: a guard in another place than
 * the data protects nothing while the two are cut apart.
 *
 * <p><b>Thread:</b> any, unless a form says otherwise.
 *
 * <p><b>Invariants:</b>
 * <ol>
 *   <li>Once a token was accepted, none that it overtakes is accepted any more, for as long as the form remembers.
 *   <li>A refused grant changes nothing but {@link #rejections}.
 * </ol>
 *
 * <p><b>Source:</b> R4.7, F9.
 */
public interface FencingGuard {
    /**
     * Accepts the grant and remembers its token, or refuses it. What was accepted can be overtaken as soon as this returns,
     * so between here and the write nothing may come: a resource that is not itself a transaction uses {@link #guarded}.
     *
     * @throws StaleTokenException if a newer grant was accepted before; definite
     * @throws GuardFailedException if the guard could not be asked; do not write
     */
    void check(Grant grant);

    /**
     * Accepts the grant as {@link #check} does, and runs the write before any other grant of the same lock can be accepted.
     * So a newer holder's {@link #raise} waits for a write that has begun, and sees its result.
     *
     * @return what the write returned
     * @throws StaleTokenException if a newer grant was accepted before; the write was not begun
     * @throws GuardFailedException if the guard could not be asked; the write was not begun
     * @throws X what the write threw; the token stays accepted
     */
    <T extends @Nullable Object, X extends Exception> T guarded(Grant grant, GuardedWrite<T, X> write) throws X;

    /**
     * A new holder's or leader's first act, <em>before</em> it reads any state from the resource: from here on every write of
     * its predecessors is refused, so what it reads next cannot change behind its back.
     *
     * @throws StaleTokenException if a newer grant was accepted before: the caller is no longer the newest
     * @throws GuardFailedException if the guard could not be asked; do not go on
     */
    default void raise(Grant grant) {
        check(grant);
    }

    /**
     * What the guard remembers of a lock now; {@link Fence#NONE} if nothing. For operators and tests: not to decide by.
     *
     * @throws GuardFailedException if the guard could not be asked
     */
    Fence fence(LockName lock);

    /** How many grants this object has refused since it was made. Not what other processes refused. */
    long rejections();
}
