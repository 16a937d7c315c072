package io.holdfast.client.loop;

import io.holdfast.client.session.CacheCounts;
import io.holdfast.client.session.SessionState;
import io.holdfast.client.session.Trust;
import io.holdfast.model.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * The present session as any thread may see it.
 *
 * @param state as of the loop's last turn; {@code trust} knows sooner that a lease is over
 * @param session null until it is open
 * @param leaseMillis 0 until it is open
 * @param cache how its cache is used
 */
public record SessionSnapshot(
        SessionState state,
        String reason,
        @Nullable SessionId session,
        long leaseMillis,
        long epoch,
        Trust trust,
        CacheCounts cache) {}
