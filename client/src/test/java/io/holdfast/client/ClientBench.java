package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.fake.FakeCell;
import io.holdfast.client.fake.FakeTransport;
import io.holdfast.client.fake.ManualClock;
import io.holdfast.model.NodePath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** Clients over a cell in the same process, for tests of recipes. The clock is the test's; waiting is for events, never for time. */
final class ClientBench implements AutoCloseable {
    final ManualClock clock = new ManualClock();
    final FakeTransport network = new FakeTransport(new FakeCell(), clock);
    private final List<HoldfastClient> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    HoldfastClient client() {
        return client(HoldfastClient.builder());
    }

    /** One whose callbacks run where the test says. */
    HoldfastClient client(Executor callbacks) {
        return client(HoldfastClient.builder().callbackExecutor(callbacks));
    }

    HoldfastClient client(HoldfastClientBuilder builder) {
        HoldfastClient client = builder.endpoints("a,b")
                .transport(() -> network)
                .clock(clock)
                .clientName("client-" + clients.size())
                .build();
        clients.add(client);
        return client;
    }

    /** Something that blocks. */
    interface Work<T> {
        T run() throws Exception;
    }

    /** Runs it on a thread of its own. */
    <T> CompletableFuture<T> inThread(Work<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                done.complete(work.run());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    int places() {
        return network.with(FakeCell::placeCount);
    }

    /** An operator takes away whatever stands in a queue. */
    void breakPlaces(String lock) {
        network.with(cell -> {
            cell.breakPlaces(new NodePath(lock));
            return 0;
        });
    }

    /** An operator takes away whatever is first in a queue, and the next one is let in. */
    void breakFirst(String lock) {
        network.with(cell -> {
            cell.breakFirst(new NodePath(lock));
            return 0;
        });
    }

    /** The cell ends the client's session. */
    void expire(HoldfastClient client) {
        network.with(cell -> {
            cell.expire(client.session().orElseThrow().id());
            return 0;
        });
    }

    /** Lets the clients' time pass in small steps, so that nobody looks paused. */
    void pass(long millis) {
        for (long passed = 0; passed < millis; passed += 250) {
            clock.advanceMillis(Math.min(250, millis - passed));
            clients.forEach(HoldfastClient::wake);
        }
    }

    static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the time of this test is over")
                    .isFalse();
            Thread.yield();
        }
    }

    void passUntil(BooleanSupplier condition) {
        until(() -> {
            pass(100);
            return condition.getAsBoolean();
        });
    }

    @Override
    public void close() {
        network.refuse(false);
        network.loseBack(frame -> false);
        network.loseThere(frame -> false);
        CompletableFuture<Boolean> closed = inThread(() -> {
            clients.forEach(HoldfastClient::close);
            return true;
        });
        passUntil(closed::isDone); // so that a close that nobody answers comes to its end
        threads.shutdownNow();
    }
}
