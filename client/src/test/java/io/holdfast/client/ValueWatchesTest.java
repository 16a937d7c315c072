package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.client.fake.FakeCell;
import io.holdfast.client.fake.FakeTransport;
import io.holdfast.client.fake.ManualClock;
import io.holdfast.model.ErrorCode;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watches, listeners and batches of the API over a cell in the same process. The clock is the test's. */
@Timeout(120)
final class ValueWatchesTest {
    private static final String PATH = "/config/a";

    private final ManualClock clock = new ManualClock();
    private final FakeCell cell = new FakeCell();
    private final FakeTransport network = new FakeTransport(cell, clock);
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final HoldfastClient client = HoldfastClient.builder()
            .endpoints("a,b")
            .transport(() -> network)
            .clock(clock)
            .build();

    @AfterEach
    void close() {
        network.refuse(false);
        network.loseBack(frame -> false);
        Thread closer = new Thread(client::close);
        closer.start();
        until(() -> {
            pass(250);
            return !closer.isAlive();
        });
    }

    private void pass(long millis) {
        for (long passed = 0; passed < millis; passed += 250) {
            clock.advanceMillis(Math.min(250, millis - passed));
            client.wake();
        }
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the time is over")
                    .isFalse();
            Thread.yield();
        }
    }

    private String next() throws InterruptedException {
        while (true) {
            String what =
                    told.poll(20, TimeUnit.MILLISECONDS); // the listener's thread comes first, or a session may end
            if (what != null) {
                return what;
            }
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            pass(100);
        }
    }

    private void put(String value) {
        network.with(one -> {
            one.put(PATH, value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return null;
        });
    }

    private void delete() {
        network.with(one -> {
            one.delete(PATH);
            return null;
        });
    }

    private void cut() {
        network.refuse(true);
        network.refuse(false);
    }

    private int watches() {
        return network.with(FakeCell::watchCount);
    }

    /** Writes down all that it is told. */
    private final class Recorder<T> implements WatchListener<T> {
        @Override
        public void onState(T state) {
            Object shown = state instanceof Optional<?> value
                    ? value.map(v -> ((Value) v).text()).orElse("none")
                    : state;
            told.add(shown.toString());
        }

        @Override
        public void onUnsure(String reason) {
            told.add("unsure");
        }

        @Override
        public void onSure() {
            told.add("sure");
        }

        @Override
        public void onEnded(HoldfastException reason) {
            told.add("ended " + reason.code());
        }
    }

    @Test
    void aWatchIsToldOnceAndArmedAgainByTheSameCall() throws Exception {
        put("1");
        Watched<Optional<Value>> first = client.values().getAndWatch(PATH, event -> told.add("first " + event.type()));
        assertThat(first.state()).map(Value::text).contains("1");
        put("2");
        put("3");
        assertThat(next()).isEqualTo("first NEWER");
        Watched<Optional<Value>> second =
                client.values().getAndWatch(PATH, event -> told.add("second " + event.type()));
        assertThat(second.state()).map(Value::text).contains("3");
        delete();
        assertThat(next()).isEqualTo("second NEWER");
        assertThat(watches()).isZero();
        first.close();
        second.close();
    }

    @Test
    void aWatchThatIsClosedIsGoneAtTheCellToo() {
        List<Watched<?>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(client.values().getAndWatch(PATH, event -> told.add("told")));
            all.add(client.values().existsAndWatch(PATH, event -> told.add("told")));
            all.add(client.values().listAndWatch("/config", event -> told.add("told")));
        }
        assertThat(watches()).isEqualTo(30);
        all.forEach(Watched::close);
        all.forEach(Watched::close);
        until(() -> {
            pass(250);
            return watches() == 0;
        });
        put("1");
        pass(1_000);
        assertThat(told).isEmpty();
    }

    @Test
    void cancellingTheFutureWithdrawsTheWatch() {
        cancellingWithdraws(() -> client.values().getAndWatchAsync(PATH, event -> told.add("told")));
    }

    private void cancellingWithdraws(Supplier<CompletableFuture<?>> start) {
        network.loseBack(ServerFrame.ReadReply.class::isInstance);
        CompletableFuture<?> call = start.get();
        until(() -> {
            pass(100);
            return watches() == 1;
        });
        call.cancel(false);
        network.loseBack(frame -> false);
        until(() -> {
            pass(100);
            return watches() == 0;
        });
    }

    @Test
    void aLongListIsReadWholeAndWatched() throws Exception {
        for (int i = 0; i < 1_500; i++) {
            String path = "/many/n%04d".formatted(i);
            network.with(one -> {
                one.put(path, new byte[0]);
                return null;
            });
        }
        Watched<List<String>> all = client.values().listAndWatch("/many", event -> told.add("told"));
        assertThat(all.state()).hasSize(1_500).isSorted();
        CompletableFuture<Watched<List<String>>> later =
                client.values().listAndWatchAsync("/many", event -> told.add("told later"));
        assertThat(later.join().state()).isEqualTo(all.state());
        network.with(one -> {
            one.delete("/many/n0007");
            return null;
        });
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("told", "told later");
    }

    @Test
    void cancellingALongListWithdrawsItsWatch() {
        cancellingWithdraws(() -> client.values().listAndWatchAsync("/config", event -> told.add("told")));
    }

    @Test
    void aWatchSurvivesAReconnectAndTellsWhatHappenedMeanwhile() throws Exception {
        put("1");
        client.values().getAndWatch(PATH, event -> told.add(event.type().toString()));
        cut();
        delete();
        put("1");
        assertThat(next()).isEqualTo("NEWER");
    }

    @Test
    void theEndOfTheSessionIsAnEventToo() throws Exception {
        client.values()
                .getAndWatch(
                        PATH,
                        event -> told.add(event.type() + " " + event.reason().code()));
        client.values().listen(PATH, new Recorder<>());
        assertThat(next()).isEqualTo("none");
        network.with(one -> {
            one.expire(client.session().orElseThrow().id());
            return null;
        });
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("ENDED SESSION_EXPIRED", "ended SESSION_EXPIRED");
        client.newSession();
        put("2");
        client.values().listen(PATH, new Recorder<>()); // the application asks again
        assertThat(next()).isEqualTo("2");
    }

    @Test
    void aListenerHearsThePresentStateThenNewerOnesAcrossFailOvers() throws Exception {
        put("1");
        Subscription listening = client.values().listen(PATH, new Recorder<>());
        assertThat(next()).isEqualTo("1");
        put("2");
        assertThat(next()).isEqualTo("2");
        network.refuse(true); // or else "unsure" can be overtaken by "sure" before the listener's thread runs
        network.with(one -> {
            one.failOver();
            return null;
        });
        assertThat(next()).isEqualTo("unsure");
        network.refuse(false);
        assertThat(next()).isEqualTo("sure");
        network.refuse(true);
        assertThat(next()).isEqualTo("unsure");
        delete();
        network.refuse(false);
        assertThat(next()).isEqualTo("none");
        listening.close();
        listening.close();
        until(() -> {
            pass(250);
            return watches() == 0;
        });
        put("3");
        pass(1_000);
        assertThat(told).isEmpty();
    }

    /** One call at a time; what is overtaken is skipped, the newest is told. */
    @Test
    void aSlowListenerSkipsWhatIsOvertaken() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        client.values().listen(PATH, state -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            told.add(state.map(Value::text).orElse("none"));
            try {
                go.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            inside.decrementAndGet();
        });
        assertThat(next()).isEqualTo("none");
        for (int i = 1; i <= 20; i++) {
            put("v" + i);
            pass(250);
        }
        go.countDown();
        String last = next();
        while (!last.equals("v20")) {
            last = next();
        }
        assertThat(told).isEmpty();
    }

    @Test
    void aListenerMayCallTheClientFromWithin() throws Exception { // C113
        client.values().listen(PATH, state -> {
            if (state.isEmpty()) {
                client.values().put(PATH, new byte[] {'x'});
            } else {
                told.add(state.get().text());
            }
        });
        assertThat(next()).isEqualTo("x");
    }

    @Test
    void childrenAreToldInOrder() throws Exception {
        client.values().listenChildren("/config", new Recorder<>());
        assertThat(next()).isEqualTo("[]");
        client.values().put("/config/b", new byte[0]);
        assertThat(next()).isEqualTo("[b]");
        put("1");
        assertThat(next()).isEqualTo("[a, b]");
    }

    @Test
    void closingTheClientEndsWhatListens() throws Exception {
        client.values().listen(PATH, new Recorder<>());
        assertThat(next()).isEqualTo("none");
        Thread closer = new Thread(client::close);
        closer.start();
        assertThat(next()).isEqualTo("ended CLOSED");
    }

    /** Whoever reads the trace wants to know which commit it was. */
    @Test
    void aRefusedBatchNamesItsCaller() {
        BatchRefusedException refused = catchThrowableOfType(
                BatchRefusedException.class,
                () -> client.values().batch().check("/absent", 3).commit());
        assertThat(refused.getStackTrace())
                .anyMatch(frame -> frame.getClassName().contains("ValueWatchesTest"));
    }

    /** The cell could not even read it: refused before it is sent, and the batch stays as it was. */
    @Test
    void aBatchThatIsTooLargeIsRefusedWhereItGetsTooLarge() {
        Batch batch = client.values().batch();
        byte[] large = new byte[60_000];
        for (int i = 0; i < 8; i++) {
            batch.put("/large/" + i, large);
        }
        RefusedException refused = catchThrowableOfType(RefusedException.class, () -> batch.put("/large/8", large));
        assertThat(refused.reason()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(refused).hasMessageContaining("/large/8").hasMessageContaining("524288");
        assertThat(batch.commit().versions()).hasSize(8);
    }

    @Test
    void aBatchIsWrittenOrItsItemIsNamed() {
        BatchResult result = client.values()
                .batch()
                .put("/x", new byte[0])
                .create("/y", new byte[0])
                .commit();
        assertThat(result.versions()).containsExactly(0L, 0L);
        assertThat(client.values().get("/y")).map(Value::modifyRevision).contains(result.revision());
        BatchRefusedException refused = catchThrowableOfType(
                BatchRefusedException.class,
                () -> client.values()
                        .batch()
                        .put("/z", new byte[0])
                        .check("/x", 7)
                        .commit());
        assertThat(refused.item()).isEqualTo(1);
        assertThat(refused.reason()).isEqualTo(ErrorCode.BAD_VERSION);
        assertThat(refused.outcome()).isEqualTo(HoldfastException.Outcome.DEFINITE_NOT_DONE);
        assertThat(client.values().get("/z")).isEmpty();
        CompletableFuture<BatchResult> later =
                client.values().batch().put("/z", new byte[0]).commitAsync();
        assertThat(later.join().versions()).containsExactly(0L);
    }
}
