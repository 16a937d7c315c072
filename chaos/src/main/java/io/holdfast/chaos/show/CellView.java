package io.holdfast.chaos.show;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.model.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Asks a cell how it is and waits for it, for a bounded time. <b>Thread:</b> any. */
public final class CellView implements AutoCloseable {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
    private static final long ASK_EVERY_MILLIS = 100;
    private static final String PROBE = "/shows/probe";

    private final HoldfastClient client;

    public CellView(String endpoints) {
        this.client = HoldfastClient.builder()
                .withoutCache()
                .endpoints(endpoints)
                .clientName("show-view")
                .callTimeout(CALL_TIMEOUT)
                .build();
    }

    public HoldfastClient client() {
        return client;
    }

    public Optional<Answer.Status> status() {
        try {
            return Optional.of(client.admin().status());
        } catch (HoldfastException noAnswer) {
            return Optional.empty();
        }
    }

    /** The first status of this kind; empty if there was none in time. */
    public Optional<Answer.Status> await(Predicate<Answer.Status> wanted, Duration patience)
            throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            Optional<Answer.Status> status = status().filter(wanted);
            if (status.isPresent() || System.nanoTime() > end) {
                return status;
            }
            TimeUnit.MILLISECONDS.sleep(ASK_EVERY_MILLIS);
        }
    }

    /** Whether there is a leader and it reaches all others. */
    public static boolean isWhole(Answer.Status status) {
        return status.leader() != null && status.replicas().stream().allMatch(Answer.ReplicaInfo::reachable);
    }

    /** Whether a write succeeds in time. */
    public boolean awaitWrite(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        byte[] value = "probe".getBytes(StandardCharsets.UTF_8);
        while (true) {
            try {
                client.values().withoutSession().put(PROBE, value);
                return true;
            } catch (HoldfastException notYet) {
                if (System.nanoTime() > end) {
                    return false;
                }
                TimeUnit.MILLISECONDS.sleep(ASK_EVERY_MILLIS);
            }
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
