package io.holdfast.chaos.frozen;

import io.holdfast.chaos.net.Relay;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A client that lives and holds a lock. At first only the leader's relay lets it through, so that it is attached to the
 * leader when that is frozen; then it may go elsewhere.
 *
 * <p><b>Thread:</b> one; what its client tells comes on the client's.
 */
final class LiveHolder implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long SAMPLE_MILLIS = 50;

    private final String path;
    private final Verdict verdict;
    private final List<Relay> relays = new ArrayList<>();
    private final HoldfastClient client;
    private final LockHold hold;
    private final AtomicInteger jeopardies = new AtomicInteger();
    private volatile boolean ending;

    LiveHolder(ShowCell cell, String leader, String path, Verdict verdict) throws InterruptedException {
        this.path = path;
        this.verdict = verdict;
        List<String> names = cell.replicas().stream().map(Object::toString).toList();
        for (String name : names) {
            Relay relay = new Relay("127.0.0.1", 0, "127.0.0.1", cell.port(name));
            relay.admit(name.equals(leader));
            relays.add(relay);
        }
        this.client = HoldfastClient.builder()
                .withoutCache()
                .endpoints(relays.stream()
                        .map(relay -> "127.0.0.1:" + relay.port())
                        .collect(Collectors.joining(",")))
                .clientName("holder")
                .callTimeout(PATIENCE)
                .build();
        this.hold = client.lock(path)
                .acquire(PATIENCE)
                .orElseThrow(() -> new IllegalStateException(path + " was not granted, though nobody holds it"));
        relays.forEach(relay -> relay.admit(true));
        var unusedStates = client.onState(change -> {
            if (change.state() == SessionState.JEOPARDY) {
                jeopardies.incrementAndGet();
            } else if (change.state() == SessionState.EXPIRED && !ending) {
                verdict.finding("N6", "the holder's session ended: %s", change.reason());
            }
        });
        var unusedLosses = hold.onLost((which, reason) -> {
            if (!ending) {
                verdict.finding("N6", "a live client lost its hold: %s", reason);
            }
        });
    }

    /** How often it was in doubt, though never lost. */
    int jeopardies() {
        return jeopardies.get();
    }

    /** Whether it holds again, or still, within a while; the cell must say so too. */
    void requireHeld(HoldfastClient others) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!hold.isHeld()) {
            if (System.nanoTime() > end) {
                verdict.finding(
                        "N6", "after %d s a live client still does not believe in its hold", PATIENCE.toSeconds());
                return;
            }
            TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
        }
        List<Answer.PlaceInfo> held = others.admin().locks(path).stream()
                .filter(Answer.PlaceInfo::held)
                .toList();
        boolean same = held.size() == 1
                && held.get(0).token().equals(hold.token())
                && held.get(0).place().value().equals(hold.place());
        if (!same) {
            verdict.finding("N1", "the client holds %s, the cell says %s", hold, held);
        }
    }

    @Override
    public void close() {
        ending = true;
        client.close();
        relays.forEach(Relay::close);
    }
}
