package io.holdfast.model;

/**
 * What came of a {@link LeaseCall}. Times are durations, counted by the caller from when it sent what is answered (R1.2, R7.2);
 * none is above the lease, none is negative.
 */
public sealed interface LeaseOutcome {
    /**
     * The caller holds.
     *
     * @param token rises with every grant of this name (R2.3)
     * @param remainingMillis of the lease, from when the acquire was sent
     */
    record Granted(FencingToken token, long remainingMillis) implements LeaseOutcome {}

    /**
     * Somebody holds, and it is not this request.
     *
     * @param retryAfterMillis suggested wait, drawn so that callers do not return together
     */
    record Held(LeaseOwner owner, long retryAfterMillis) implements LeaseOutcome {}

    /** @param remainingMillis of the lease, from when the renewal was sent */
    record Renewed(long remainingMillis) implements LeaseOutcome {}

    /** The hold is given up, by this call or by an earlier one. */
    record Released() implements LeaseOutcome {}

    /**
     * No hold has this name, owner and token, and none ever will again.
     *
     * @param reason in words
     */
    record Lost(String reason) implements LeaseOutcome {}

    /**
     * Who holds.
     *
     * @param remainingMillis of the lease as the leader sees it; 0 if it is about to end
     */
    record Found(LeaseName name, LeaseOwner owner, FencingToken token, long leaseMillis, long remainingMillis)
            implements LeaseOutcome {}

    /** Nobody holds. */
    record Free() implements LeaseOutcome {}
}
