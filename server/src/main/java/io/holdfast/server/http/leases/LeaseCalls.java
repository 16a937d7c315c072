package io.holdfast.server.http.leases;

import io.holdfast.model.FencingToken;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The plain API of leased locks (F8): nothing waits in a queue, each call is one round trip.
 *
 * <p>Every future fails with a {@link io.holdfast.client.HoldfastException} if there is no answer within the given time; whether the
 * call was done is its {@code outcome()}. Answers "held" and "lost" come from the log or passed a leadership check (R7.3).
 *
 * <p><b>Thread:</b> any; never blocks.
 */
public interface LeaseCalls {
    /**
     * A wish.
     *
     * @param requestId a repeat with the same one gets the same grant; empty if the caller does not repeat
     */
    record Wish(String name, String owner, long leaseMillis, Optional<String> requestId) {}

    /** A hold as its owner names it: all three must be right (R7.3). */
    record Claim(String name, String owner, FencingToken token) {}

    /** What came of a wish. */
    sealed interface Acquired {}

    /** @param leaseMillis what is left of the lease (R7.2); counts from when the request was sent */
    record Granted(FencingToken token, long leaseMillis) implements Acquired {}

    /** Another holds it. @param retryAfterMillis from 0 to the lease */
    record Held(long retryAfterMillis) implements Acquired {}

    /**
     * A record as it is.
     *
     * @param shard number of the cell that has it (R7.4)
     */
    record Lease(String name, String owner, FencingToken token, long remainingMillis, int shard) {}

    CompletableFuture<Acquired> acquire(Wish wish, Duration timeout);

    /** The lease from the sending of this request on, in milliseconds; empty if the hold is lost. */
    CompletableFuture<Optional<Long>> renew(Claim claim, Duration timeout);

    /** Whether it was released, by this or an earlier request; false if the hold was lost. */
    CompletableFuture<Boolean> release(Claim claim, Duration timeout);

    /** Who holds it; empty if nobody does. */
    CompletableFuture<Optional<Lease>> inspect(String name, Duration timeout);
}
