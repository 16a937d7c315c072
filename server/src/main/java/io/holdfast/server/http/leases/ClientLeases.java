package io.holdfast.server.http.leases;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LeaseAnswer;
import io.holdfast.client.RawLeases;
import io.holdfast.model.Shards;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Leased locks of the cell that a client is connected to. The client repeats what is not answered, under the caller's request id or one
 * of its own (R2.7), and opens no session.
 *
 * <p>Durations are passed on as they are: who asked over HTTP sent its request before the client did, and counts from then, so it stops
 * earlier (R7.2).
 *
 * <p><b>Thread:</b> any.
 */
public final class ClientLeases implements LeaseCalls {
    private final HoldfastClient client;
    private final int shards;

    /** @param shards how many cells the names are spread over */
    public ClientLeases(HoldfastClient client, int shards) {
        this.client = client;
        this.shards = shards;
    }

    private RawLeases raw(Duration timeout) {
        return client.leases().raw().callTimeout(timeout);
    }

    @Override
    public CompletableFuture<Acquired> acquire(Wish wish, Duration timeout) {
        return raw(timeout)
                .acquireAsync(
                        wish.name(),
                        wish.owner(),
                        Duration.ofMillis(wish.leaseMillis()),
                        wish.requestId().orElse(null))
                .thenApply(ClientLeases::acquired);
    }

    private static Acquired acquired(LeaseAnswer answer) {
        if (answer instanceof LeaseAnswer.Granted granted) {
            return new Granted(granted.token(), granted.lease().toMillis());
        }
        return new Held(((LeaseAnswer.Held) answer).retryAfter().toMillis());
    }

    @Override
    public CompletableFuture<Optional<Long>> renew(Claim claim, Duration timeout) {
        return raw(timeout)
                .renewAsync(claim.name(), claim.owner(), claim.token())
                .thenApply(left -> left.map(Duration::toMillis));
    }

    @Override
    public CompletableFuture<Boolean> release(Claim claim, Duration timeout) {
        return raw(timeout).releaseAsync(claim.name(), claim.owner(), claim.token());
    }

    @Override
    public CompletableFuture<Optional<Lease>> inspect(String name, Duration timeout) {
        return raw(timeout)
                .inspectAsync(name)
                .thenApply(found -> found.map(info -> new Lease(
                        info.name(),
                        info.owner(),
                        info.token(),
                        info.remaining().toMillis(),
                        shardOf(name))));
    }

    /** R7.4; 0 where there are no shards: the first cell has them all. */
    private int shardOf(String name) {
        return shards == 0 ? 0 : new Shards(shards).shardOf(name);
    }
}
