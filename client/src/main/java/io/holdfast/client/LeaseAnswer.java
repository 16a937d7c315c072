package io.holdfast.client;

import io.holdfast.model.FencingToken;
import java.time.Duration;

/** What came of acquiring a leased lock by {@link RawLeases}. */
public sealed interface LeaseAnswer {
    /**
     * The caller holds.
     *
     * @param lease how long, counted from when the caller asked; not from the answer
     */
    record Granted(FencingToken token, Duration lease) implements LeaseAnswer {}

    /**
     * Another holds, or the same owner by another request.
     *
     * @param retryAfter suggested wait: 0 to the lease, drawn so that callers do not return together
     */
    record Held(String owner, Duration retryAfter) implements LeaseAnswer {}
}
