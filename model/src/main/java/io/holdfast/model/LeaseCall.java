package io.holdfast.model;

import org.jspecify.annotations.Nullable;

/**
 * What a caller asks about one leased lock, without a session (F8). Answered by an {@link Outcome.OfLease}. All of them may be
 * repeated: an acquire under its request id, the others by what they name.
 */
public sealed interface LeaseCall {
    LeaseName name();

    /**
     * Takes the lock if nobody has it: {@link LeaseOutcome.Granted} or {@link LeaseOutcome.Held}. Leased locks are not
     * re-entrant: the same owner is refused too, unless it repeats the request id of the grant.
     *
     * @param leaseMillis {@link Limits#MIN_LEASE_MILLIS} to {@link Limits#MAX_LEASE_MILLIS}
     * @param requestId names this attempt, at most {@link Limits#MAX_REQUEST_ID_BYTES} bytes; empty for one that is never repeated
     */
    record Acquire(LeaseName name, LeaseOwner owner, long leaseMillis, String requestId) implements LeaseCall {
        /** @throws IllegalArgumentException if the length or the request id is out of its range */
        public Acquire {
            String problem = problemWithLease(leaseMillis);
            if (problem != null) {
                throw new IllegalArgumentException(problem);
            }
            problem = problemWithRequestId(requestId);
            if (problem != null) {
                throw new IllegalArgumentException("requestId " + NameText.shown(requestId) + " " + problem);
            }
        }
    }

    /** Gives the hold a full lease from now: {@link LeaseOutcome.Renewed} or {@link LeaseOutcome.Lost}. Not in the log (R7.1). */
    record Renew(LeaseName name, LeaseOwner owner, FencingToken token) implements LeaseCall {}

    /** Gives the hold up: {@link LeaseOutcome.Released}, also when repeated, or {@link LeaseOutcome.Lost}. */
    record Release(LeaseName name, LeaseOwner owner, FencingToken token) implements LeaseCall {}

    /** Who holds: {@link LeaseOutcome.Found} or {@link LeaseOutcome.Free}. */
    record Inspect(LeaseName name) implements LeaseCall {}

    /** What is wrong with the length of a lease, in words that name it and the range, or null (C103). */
    static @Nullable String problemWithLease(long leaseMillis) {
        return leaseMillis >= Limits.MIN_LEASE_MILLIS && leaseMillis <= Limits.MAX_LEASE_MILLIS
                ? null
                : "leaseMillis " + leaseMillis + " is not in " + Limits.MIN_LEASE_MILLIS + " to "
                        + Limits.MAX_LEASE_MILLIS;
    }

    /** What is wrong with a request id, or null; an empty one is none. */
    static @Nullable String problemWithRequestId(String requestId) {
        return requestId.isEmpty() ? null : NameText.problemWith(requestId, Limits.MAX_REQUEST_ID_BYTES);
    }
}
