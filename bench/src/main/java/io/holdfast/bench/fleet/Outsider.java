package io.holdfast.bench.fleet;

import io.holdfast.bench.load.Fields;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One client beside the fleet, which looks at it through the cell and writes what it reads. <b>Thread:</b> one. */
final class Outsider {
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);
    private static final int IN_FLIGHT = 512;
    private static final long PRIME = 1_099_511_628_211L;

    private final String endpoints;
    private @Nullable HoldfastClient client;

    Outsider(String endpoints) {
        this.endpoints = endpoints;
    }

    private HoldfastClient client() {
        HoldfastClient open = client;
        if (open == null) {
            open = HoldfastClient.builder()
                    .withoutCache()
                    .endpoints(endpoints)
                    .clientName("outsider")
                    .callTimeout(CALL_TIMEOUT)
                    .build();
            client = open;
        }
        return open;
    }

    /** Which locks are held with which tokens, as the cell says: how many, and a number that is another if any of it is. */
    Fields holds(String prefix) {
        int count = 0;
        long digest = 0;
        for (Answer.PlaceInfo place : client().admin().locks(prefix)) {
            if (place.held()) {
                count++;
                digest = digest * PRIME + place.lock().value().hashCode();
                digest = digest * PRIME + place.token().value();
            }
        }
        return new Fields("").with("count", count).with("digest", digest);
    }

    /** Makes the values that the fleet reads, and the flag. */
    Fields writeValues(int count, int bytes) {
        byte[] value = new byte[bytes];
        Queue<CompletableFuture<?>> open = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            open.add(client().values().putAsync(CachedReads.path(i), value));
            if (open.size() >= IN_FLIGHT) {
                open.remove().join();
            }
        }
        open.forEach(CompletableFuture::join);
        return writeFlag(0);
    }

    /** Writes a version number into the flag; when that began and when it was acknowledged. */
    Fields writeFlag(long version) {
        byte[] text = Long.toString(version).getBytes(StandardCharsets.US_ASCII);
        long begin = System.nanoTime();
        client().values().put(FleetSession.FLAG, text);
        return new Fields("").with("beginNanos", begin).with("ackNanos", System.nanoTime());
    }
}
