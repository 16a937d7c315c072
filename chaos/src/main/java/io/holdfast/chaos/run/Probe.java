package io.holdfast.chaos.run;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Values;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * Writes through every replica all the time, so that any time shows in which the cell serves nobody. No write waits for the
 * one before: one that hangs hides nothing. What one replica does not answer another one may; a client that has all of them
 * for endpoints is as well off.
 *
 * <p><b>Thread:</b> one of its own; others may ask.
 */
final class Probe implements AutoCloseable {
    private static final long EVERY_MILLIS = 400;
    /** Longer than a write on the slowest disks, so that such a write counts. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

    private static final String PARENT = "/chaos/probe-through/";

    private final List<Writer> writers = new ArrayList<>();
    /** When a write was answered, and when it had been called. */
    private final NavigableMap<Long, Long> served = new ConcurrentSkipListMap<>();

    private final Thread thread;
    private volatile boolean closed;

    private record Writer(String path, HoldfastClient client, Values values) {}

    /** @param endpoints one of each replica */
    Probe(List<String> endpoints) {
        for (String endpoint : endpoints) {
            HoldfastClient client = HoldfastClient.builder()
                    .withoutCache()
                    .endpoints(endpoint)
                    .clientName("chaos-probe")
                    .callTimeout(CALL_TIMEOUT)
                    .build();
            String path = PARENT + "r" + (writers.size() + 1);
            writers.add(new Writer(path, client, client.values().withoutSession()));
        }
        this.thread = new Thread(this::write, "chaos-probe");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void write() {
        while (!closed) {
            for (Writer writer : writers) {
                long called = System.nanoTime();
                byte[] value = Long.toString(called).getBytes(StandardCharsets.UTF_8);
                var unused = writer.values()
                        .putAsync(writer.path(), value)
                        .thenAccept(answered -> served.merge(System.nanoTime(), called, Math::max));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }

    /** Writes that succeeded so far: when each was answered, and when it had been called. */
    NavigableMap<Long, Long> served() {
        return Collections.unmodifiableNavigableMap(new TreeMap<>(served));
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        writers.forEach(writer -> writer.client().close());
    }
}
