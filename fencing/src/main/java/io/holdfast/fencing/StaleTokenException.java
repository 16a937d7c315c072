package io.holdfast.fencing;

import io.holdfast.model.FencingToken;

/**
 * A grant was shown that a newer one has overtaken. The outcome is definite: the guard accepted nothing, and the write must
 * not be made. Whoever holds this token has lost the lock, whether it knows or not: stop, roll back, acquire anew. A retry
 * with the same token is refused for ever.
 *
 * <p><b>Source:</b> R4.7.
 */
public final class StaleTokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String lock;
    private final long token;
    private final long accepted;

    /**
     * Says what was refused and why.
     *
     * @param refused the grant that was shown
     * @param lowest the token that a grant of its mode must at least have
     */
    public StaleTokenException(Grant refused, FencingToken lowest) {
        super("token " + refused.token() + " (" + word(refused) + ") of lock '" + refused.lock()
                + "' is stale: the resource has accepted token " + lowest
                + "; the lock is lost: do not write, stop, and acquire it anew");
        lock = refused.lock().value();
        token = refused.token().value();
        accepted = lowest.value();
    }

    private static String word(Grant grant) {
        return switch (grant.mode()) {
            case EXCLUSIVE -> "exclusive";
            case SHARED -> "shared";
            case PERMIT -> "permit";
        };
    }

    /** The lock. */
    public LockName lock() {
        return new LockName(lock);
    }

    /** The token that was refused. */
    public FencingToken token() {
        return new FencingToken(token);
    }

    /** The newer token that was accepted before; of a newer grant of the same lock. */
    public FencingToken accepted() {
        return new FencingToken(accepted);
    }
}
