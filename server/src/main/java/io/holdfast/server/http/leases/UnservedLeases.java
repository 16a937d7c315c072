package io.holdfast.server.http.leases;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Where the cell serves no leased locks: every call is refused as definitely not done. */
public final class UnservedLeases implements LeaseCalls {
    private final Supplier<RuntimeException> refusal;

    public UnservedLeases(Supplier<RuntimeException> refusal) {
        this.refusal = refusal;
    }

    private <T> CompletableFuture<T> refused() {
        return CompletableFuture.failedFuture(refusal.get());
    }

    @Override
    public CompletableFuture<Acquired> acquire(Wish wish, Duration timeout) {
        return refused();
    }

    @Override
    public CompletableFuture<Optional<Long>> renew(Claim claim, Duration timeout) {
        return refused();
    }

    @Override
    public CompletableFuture<Boolean> release(Claim claim, Duration timeout) {
        return refused();
    }

    @Override
    public CompletableFuture<Optional<Lease>> inspect(String name, Duration timeout) {
        return refused();
    }
}
