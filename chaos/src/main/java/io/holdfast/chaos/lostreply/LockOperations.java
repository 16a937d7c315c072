package io.holdfast.chaos.lostreply;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import io.holdfast.model.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Acquire, try and release of a lock, and an acquire that is cancelled while it waits. Somebody else waits behind a release, and
 * holds while an acquire is cancelled.
 *
 * <p><b>Thread:</b> one.
 */
final class LockOperations implements Operation {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 10;

    private final Kind kind;
    private final HoldfastClient client;
    private final HoldfastClient other;
    private final String path;
    private @Nullable LockHold hold;
    private @Nullable CompletableFuture<LockHold> waiter;
    private boolean removed;

    enum Kind {
        ACQUIRE,
        TRY,
        RELEASE,
        CANCEL
    }

    /**
     * @param client whose connections are cut
     * @param other whose are not
     */
    LockOperations(Kind kind, HoldfastClient client, HoldfastClient other) {
        this.kind = kind;
        this.client = client;
        this.other = other;
        this.path = "/lostreply/lock-" + kind;
    }

    @Override
    public String name() {
        return kind.name();
    }

    @Override
    public void prepare() throws InterruptedException {
        client.values().put("/lostreply/ready-" + kind, new byte[0]); // its session is there, and attached
        switch (kind) {
            case ACQUIRE, TRY -> hold = null;
            case RELEASE -> {
                hold = taken(client);
                waiter = other.lock(path).acquireAsync();
                awaitPlaces(2);
            }
            case CANCEL -> hold = taken(other);
        }
    }

    private LockHold taken(HoldfastClient by) throws InterruptedException {
        return by.lock(path)
                .acquire(PATIENCE)
                .orElseThrow(() -> new IllegalStateException(path + " was not granted, though nobody holds it"));
    }

    @Override
    public void act() throws InterruptedException {
        switch (kind) {
            case ACQUIRE -> hold = taken(client);
            case TRY ->
                hold = client.lock(path)
                        .tryAcquire()
                        .orElseThrow(() -> new IllegalStateException("a free lock was refused"));
            case RELEASE -> removed = held().release();
            case CANCEL -> {
                CompletableFuture<LockHold> asked = client.lock(path).acquireAsync();
                asked.cancel(false);
                // Both go out in the background; this goes after them, on the same stream.
                client.values().put("/lostreply/ready-" + kind, new byte[0]);
                awaitPlaces(1);
            }
        }
    }

    private LockHold held() {
        LockHold present = hold;
        if (present == null) {
            throw new IllegalStateException("not held: " + path);
        }
        return present;
    }

    private List<Answer.PlaceInfo> places() {
        return other.admin().locks(path);
    }

    /** Until so many are in the queue, the holder included. */
    private void awaitPlaces(int count) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (places().size() != count && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    @Override
    public Optional<String> judge(HoldfastClient direct) throws InterruptedException {
        try {
            if (kind == Kind.RELEASE) {
                return judgeRelease();
            }
            List<Answer.PlaceInfo> places = places();
            boolean one = places.size() == 1
                    && places.get(0).held()
                    && places.get(0).token().equals(held().token())
                    && held().isHeld();
            return one ? Optional.empty() : Optional.of(held() + " is held, and the cell has " + places);
        } finally {
            held().close();
        }
    }

    /** Removed once, and handed to the next in the queue. */
    private Optional<String> judgeRelease() throws InterruptedException {
        CompletableFuture<LockHold> asked = waiter;
        if (asked == null) {
            throw new IllegalStateException("nobody waits");
        }
        try (LockHold next = asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            List<Answer.PlaceInfo> places = places();
            boolean right =
                    removed && places.size() == 1 && places.get(0).token().equals(next.token()) && next.isHeld();
            return right
                    ? Optional.empty()
                    : Optional.of("released: " + removed + ", the next is " + next + ", and the cell has " + places);
        } catch (ExecutionException | TimeoutException failed) {
            return Optional.of("whoever waited was not granted: " + failed);
        }
    }

    @Override
    public void close() {
        client.close();
        other.close();
    }
}
