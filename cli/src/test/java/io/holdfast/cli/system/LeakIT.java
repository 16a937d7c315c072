package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockHold;
import io.holdfast.client.LockRecipe;
import io.holdfast.model.Answer;
import io.holdfast.server.ReplicaServer;
import io.holdfast.server.config.ConfigKey;
import io.holdfast.server.config.ReplicaConfigLoader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * C95, C62, C64: whatever was asked for, and however it ended, leaves nothing behind: places, nodes, sessions, stored results
 * and bytes of the state are back at the number where they were, and so are threads; the heap of client and server in one
 * process, after a collection, is within a bound.
 *
 * <p>A build runs two thousand operations, {@code -Dholdfast.leak.operations=100000} as many as the issue asks for. The bound
 * of the heap then finds a leak of 60 bytes for each operation.
 */
final class LeakIT {
    private static final int OPERATIONS = Integer.getInteger("holdfast.leak.operations", 2_000);
    private static final int PER_ROUND = 100;
    private static final int LOCKS = 12;
    private static final int CLIENTS = 4;
    /** What a warm virtual machine and pools may still gain. */
    private static final long HEAP_BOUND_BYTES = 6_000_000;

    @TempDir
    Path directory;

    private ReplicaServer server;
    private HoldfastClient observer;
    private String endpoint;
    private String http;
    private long acquired;
    private long notAcquired;

    @BeforeEach
    void start() throws Exception {
        int port = DevProcess.freePorts(3);
        endpoint = "127.0.0.1:" + port;
        http = "http://127.0.0.1:" + (port + 1);
        server = ReplicaServer.start(
                ReplicaConfigLoader.load(
                        null,
                        Map.of(),
                        Map.of(
                                ConfigKey.REPLICA,
                                "r1",
                                ConfigKey.MEMBERS,
                                "r1=127.0.0.1:" + (port + 2),
                                ConfigKey.DATA_DIR,
                                directory.resolve("r1").toString(),
                                ConfigKey.LISTEN_CLIENT,
                                endpoint,
                                ConfigKey.LISTEN_HTTP,
                                "127.0.0.1:" + (port + 1),
                                ConfigKey.LISTEN_PEER,
                                "127.0.0.1:" + (port + 2),
                                // The log after a snapshot is kept in memory: let there be little of it.
                                ConfigKey.RAFT_SNAPSHOT_ENTRIES,
                                "500"),
                        false),
                (say, why) -> {});
        server.whenServing().get(60, TimeUnit.SECONDS);
        observer = connect();
    }

    @AfterEach
    void stop() {
        observer.close();
        server.close();
    }

    private HoldfastClient connect() {
        return HoldfastClient.builder().endpoints(endpoint).build();
    }

    private record Counts(long nodes, long sessions, long stateBytes, long held, long waiting, long threads) {}

    private Counts counts() {
        Answer.Status status = observer.admin().status();
        return new Counts(
                status.nodes(),
                status.sessions(),
                status.stateBytes(),
                metric("holdfast_locks_held"),
                metric("holdfast_lock_waiters"),
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("holdfast-client"))
                        .count());
    }

    /** What is still being released, closed or ended has had its time. */
    private Counts settled() {
        Counts[] last = {counts()};
        Holdfast.await("the counts stand still", () -> {
            Counts before = last[0];
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            last[0] = counts();
            return last[0].equals(before);
        });
        return last[0];
    }

    private long metric(String name) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(http + "/metrics")).build();
            String body = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
            return (long) Metrics.value(body, name, "r1");
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    private static long heapBytes() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void whatManyLocksLeaveBehindIsNothing() throws Exception {
        operate(Math.max(OPERATIONS / 4, 1_000)); // the virtual machine, pools and buffers come to their size
        Counts before = settled();
        long heapBefore = heapBytes();
        acquired = 0;
        notAcquired = 0;
        operate(OPERATIONS);
        assertThat(acquired).isGreaterThan(OPERATIONS / 4);
        assertThat(notAcquired).isGreaterThan(OPERATIONS / 8);
        assertThat(settled()).isEqualTo(before);
        long grown = heapBytes() - heapBefore;
        System.out.println("after " + OPERATIONS + " operations: " + counts() + ", heap grew by " + grown + " bytes");
        assertThat(grown).isLessThan(HEAP_BOUND_BYTES);
    }

    private void operate(int operations) throws InterruptedException {
        List<HoldfastClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(connect());
        }
        for (int done = 0; done < operations; done += PER_ROUND) {
            List<CompletableFuture<Boolean>> round = new ArrayList<>();
            for (int i = 0; i < PER_ROUND; i++) {
                round.add(one(clients.get(i % CLIENTS), done + i));
            }
            for (CompletableFuture<Boolean> operation : round) {
                if (operation.join()) {
                    acquired++;
                } else {
                    notAcquired++;
                }
            }
            if (done % (10 * PER_ROUND) == 0) {
                clients.remove(0).close();
                clients.add(connect());
            }
        }
        clients.forEach(HoldfastClient::close);
    }

    /** One way to ask for a lock; whether it was held. */
    private static CompletableFuture<Boolean> one(HoldfastClient client, int number) {
        LockRecipe lock = client.lock("/leak/l" + number % LOCKS);
        return switch (number % 7) {
            case 0, 1 -> lock.acquireAsync().thenApply(Optional::of).handle(LeakIT::giveBack);
            case 2 -> lock.tryAcquireAsync().handle(LeakIT::giveBack);
            case 3 -> lock.acquireAsync(Duration.ofMillis(2)).handle(LeakIT::giveBack);
            case 4 -> lock.shared().acquireAsync().thenApply(Optional::of).handle(LeakIT::giveBack);
            case 5 -> cancelled(lock);
            default -> {
                CompletableFuture<LockHold> listened = lock.acquireAsync();
                yield listened.thenApply(hold -> {
                            var unused = hold.onLost((lost, reason) -> {});
                            return Optional.of(hold);
                        })
                        .handle(LeakIT::giveBack);
            }
        };
    }

    private static CompletableFuture<Boolean> cancelled(LockRecipe lock) {
        CompletableFuture<LockHold> asked = lock.acquireAsync();
        asked.cancel(true);
        return asked.thenApply(Optional::of).handle(LeakIT::giveBack);
    }

    private static boolean giveBack(Optional<LockHold> held, Throwable problem) {
        if (problem != null) {
            Throwable cause = problem instanceof CompletionException ? problem.getCause() : problem;
            assertThat(cause).isInstanceOfAny(CancellationException.class, HoldfastException.class);
            return false;
        }
        held.ifPresent(hold -> {
            var unused = hold.releaseAsync();
        });
        return held.isPresent();
    }
}
