package io.holdfast.fencing;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;

/**
 * What a guard remembers of one lock, and the rule that it goes by.
 *
 * <p><b>Thread:</b> any; it is a value.
 *
 * <p><b>Invariants:</b>
 * <ol>
 *   <li>0 ≤ {@code exclusive} ≤ {@code highest}; 0 stands for none yet.
 *   <li>A shared grant is admitted at or above {@code exclusive}, an exclusive one at or above {@code highest}.
 *   <li>{@link #raisedBy} never lowers either.
 * </ol>
 *
 * <p><b>Source:</b> R4.7.
 *
 * @param exclusive the highest exclusive token accepted
 * @param highest the highest token accepted, of either mode
 */
public record Fence(FencingToken exclusive, FencingToken highest) {
    /** Of a lock that no grant was shown for yet: admits all. */
    public static final Fence NONE = new Fence(new FencingToken(0), new FencingToken(0));

    /**
     * Checks the order.
     *
     * @throws IllegalArgumentException if it is broken: whoever stored this fence must not go on with it
     */
    public Fence {
        if (exclusive.value() < 0 || exclusive.compareTo(highest) > 0) {
            throw new IllegalArgumentException("a fence needs 0 <= exclusive <= highest, it has exclusive " + exclusive
                    + " and highest " + highest);
        }
    }

    /** The lowest token that a grant of this mode may have. */
    public FencingToken lowest(LockMode mode) {
        return mode == LockMode.SHARED ? exclusive : highest;
    }

    /** Whether the grant is none that a newer one has overtaken. */
    public boolean admits(Grant grant) {
        return grant.token().compareTo(lowest(grant.mode())) >= 0;
    }

    /** The fence after the grant was accepted; meaningful only if it {@linkplain #admits admits} it. */
    public Fence raisedBy(Grant grant) {
        FencingToken token = grant.token();
        return grant.mode() == LockMode.SHARED
                ? new Fence(exclusive, higher(highest, token))
                : new Fence(higher(exclusive, token), higher(highest, token));
    }

    private static FencingToken higher(FencingToken a, FencingToken b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
