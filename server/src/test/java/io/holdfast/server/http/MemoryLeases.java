package io.holdfast.server.http;

import io.holdfast.model.FencingToken;
import io.holdfast.server.http.leases.LeaseCalls;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Leased locks in memory, on a clock that a test moves: what the gateway's answers are checked against. */
final class MemoryLeases implements LeaseCalls {
    private static final int SHARDS = 20;

    private record Entry(Wish wish, long token, long endMillis) {}

    private final Map<String, Entry> entries = new HashMap<>();
    private final Set<Claim> freed = new HashSet<>();
    private long lastToken;
    private long nowMillis;
    private CompletableFuture<Void> answering = CompletableFuture.completedFuture(null);

    synchronized void advance(long millis) {
        nowMillis += millis;
    }

    /** From now on every answer waits for this, and fails with it. */
    synchronized void answerAfter(CompletableFuture<Void> event) {
        answering = event;
    }

    private synchronized <T> CompletableFuture<T> answer(T value) {
        return answering.thenApply(nothing -> value);
    }

    private synchronized Optional<Entry> present(String name) {
        return Optional.ofNullable(entries.get(name)).filter(entry -> entry.endMillis > nowMillis);
    }

    @Override
    public synchronized CompletableFuture<Acquired> acquire(Wish wish, Duration timeout) {
        Optional<Entry> held = present(wish.name());
        if (held.isPresent()) {
            boolean repeated = wish.requestId().isPresent()
                    && held.get().wish.owner().equals(wish.owner())
                    && held.get().wish.requestId().equals(wish.requestId());
            long left = held.get().endMillis - nowMillis;
            return answer(repeated ? new Granted(new FencingToken(held.get().token), left) : new Held(left));
        }
        entries.put(wish.name(), new Entry(wish, ++lastToken, nowMillis + wish.leaseMillis()));
        return answer(new Granted(new FencingToken(lastToken), wish.leaseMillis()));
    }

    private boolean isHeld(Claim claim) {
        return present(claim.name())
                .filter(entry -> entry.wish.owner().equals(claim.owner())
                        && entry.token == claim.token().value())
                .isPresent();
    }

    @Override
    public synchronized CompletableFuture<Optional<Long>> renew(Claim claim, Duration timeout) {
        if (!isHeld(claim)) {
            return answer(Optional.empty());
        }
        Entry entry = entries.get(claim.name());
        entries.put(claim.name(), new Entry(entry.wish, entry.token, nowMillis + entry.wish.leaseMillis()));
        return answer(Optional.of(entry.wish.leaseMillis()));
    }

    @Override
    public synchronized CompletableFuture<Boolean> release(Claim claim, Duration timeout) {
        if (isHeld(claim)) {
            entries.remove(claim.name());
            freed.add(claim);
        }
        return answer(freed.contains(claim));
    }

    @Override
    public synchronized CompletableFuture<Optional<Lease>> inspect(String name, Duration timeout) {
        return answer(present(name)
                .map(entry -> new Lease(
                        name,
                        entry.wish.owner(),
                        new FencingToken(entry.token),
                        entry.endMillis - nowMillis,
                        Math.floorMod(name.hashCode(), SHARDS))));
    }
}
