package io.holdfast.chaos.run;

import io.holdfast.chaos.check.ReplicaCheck;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.model.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks the cell over and over how it is, and waits for it. <b>Thread:</b> one of its own; others may ask. */
final class CellWatch implements AutoCloseable {
    private static final long EVERY_MILLIS = 300;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
    private static final long FRESH_MILLIS = 2_000;
    /** Entries; what the load appends in about a second. */
    private static final long MAX_BEHIND = 1_000;

    private static final String PROBE = "/chaos/probe";

    private final HoldfastClient client;
    private final ReplicaCheck check;
    private final Thread thread;
    private volatile @Nullable String leader;
    /** The newest status, and when it came. */
    private volatile @Nullable Seen seen;
    /** Guarded by this. */
    private long highestTerm;
    /** Guarded by this: when each new leader was first seen. */
    private final NavigableSet<Long> leads = new TreeSet<>();

    private volatile boolean closed;

    private record Seen(Answer.Status status, long nanos) {}

    CellWatch(String endpoints, ReplicaCheck check) {
        this.client = HoldfastClient.builder()
                .withoutCache()
                .endpoints(endpoints)
                .clientName("chaos-watch")
                .callTimeout(CALL_TIMEOUT)
                .build();
        this.check = check;
        this.thread = new Thread(this::watch, "chaos-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!closed) {
            status();
            if (!pause(EVERY_MILLIS)) {
                return;
            }
        }
    }

    private static boolean pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Optional<Answer.Status> status() {
        try {
            Answer.Status status = client.admin().status();
            check.seen(status);
            leader = status.leader();
            seen = new Seen(status, System.nanoTime());
            lead(status);
            return Optional.of(status);
        } catch (HoldfastException noAnswer) {
            return Optional.empty();
        }
    }

    private synchronized void lead(Answer.Status status) {
        if (status.leader() != null && status.term() > highestTerm) {
            highestTerm = status.term();
            leads.add(System.nanoTime());
        }
    }

    /** When each new leader was first seen. */
    synchronized NavigableSet<Long> leads() {
        return new TreeSet<>(leads);
    }

    /**
     * Those of the replicas that the cell has to do without now, as the newest status says: they do not answer, or are behind.
     * All of them if there is no status that is new.
     */
    Set<String> absent(List<String> replicas) {
        Seen newest = seen;
        Set<String> absent = new TreeSet<>(replicas);
        if (newest == null
                || newest.status().leader() == null
                || System.nanoTime() - newest.nanos() > TimeUnit.MILLISECONDS.toNanos(FRESH_MILLIS)) {
            return absent;
        }
        newest.status().replicas().stream()
                .filter(replica -> replica.reachable()
                        && replica.appliedIndex() + MAX_BEHIND > newest.status().appliedIndex())
                .forEach(replica -> absent.remove(replica.replica()));
        return absent;
    }

    /** As it was last heard of. */
    Optional<String> leader() {
        return Optional.ofNullable(leader);
    }

    /** Waits for a write to succeed; returns how long it took in milliseconds, -1 if it took too long. */
    long awaitWrite(long maxMillis) {
        long start = System.nanoTime();
        long end = start + TimeUnit.MILLISECONDS.toNanos(maxMillis);
        byte[] value = Long.toString(start).getBytes(StandardCharsets.UTF_8);
        while (true) {
            try {
                client.values().withoutSession().put(PROBE, value);
                return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            } catch (HoldfastException notYet) {
                if (System.nanoTime() > end || !pause(50)) {
                    return -1;
                }
            }
        }
    }

    /** Whether the status came to be so in time. */
    boolean await(Predicate<Answer.Status> wanted, long maxMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(maxMillis);
        do {
            Optional<Answer.Status> status = status();
            if (status.isPresent() && wanted.test(status.get())) {
                return true;
            }
        } while (System.nanoTime() < end && pause(EVERY_MILLIS));
        return false;
    }

    /** For words about why something did not come to be. */
    String lastStatus() {
        return status().map(String::valueOf).orElse("no answer");
    }

    HoldfastClient client() {
        return client;
    }

    @Override
    public void close() {
        closed = true;
        client.close();
    }
}
