package io.holdfast.fencing;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;

/**
 * What a writer shows to a guard: the lock that it was granted, how, and the token of that grant.
 *
 * @param lock the lock that protects the resource
 * @param mode exclusive or shared; the guard's rule depends on it (R4.7)
 * @param token above zero; the cell never grants another
 */
public record Grant(LockName lock, LockMode mode, FencingToken token) {
    /**
     * Checks that nothing is missing.
     *
     * @throws IllegalArgumentException if a part is null, the token is not above zero, or the mode is a permit, which fences nothing
     */
    public Grant {
        if (lock == null) {
            throw new IllegalArgumentException("a grant must name its lock, not null");
        }
        if (mode == null) {
            throw new IllegalArgumentException("the grant of lock '" + lock + "' must have a mode, not null");
        }
        if (mode == LockMode.PERMIT) {
            throw new IllegalArgumentException(
                    "a permit of semaphore '" + lock + "' is no fence: several hold at a time,"
                            + " and an older one may outlive a newer one; use one lock for each slot of the resource");
        }
        if (token == null) {
            throw new IllegalArgumentException("the grant of lock '" + lock + "' must have a token, not null");
        }
        if (token.value() <= 0) {
            throw new IllegalArgumentException(
                    "the token of lock '" + lock + "' must be above 0, it is " + token + ": no grant has such a token");
        }
    }

    /** An exclusive grant, or the lead of an election; throws as the constructors of its parts do. */
    public static Grant exclusive(String lock, long token) {
        return new Grant(new LockName(lock), LockMode.EXCLUSIVE, new FencingToken(token));
    }

    /** A shared grant; throws as the constructors of its parts do. */
    public static Grant shared(String lock, long token) {
        return new Grant(new LockName(lock), LockMode.SHARED, new FencingToken(token));
    }
}
