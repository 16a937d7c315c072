package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.client.fake.FakeCell;
import io.holdfast.client.fake.FakeTransport;
import io.holdfast.client.fake.ManualClock;
import io.holdfast.client.session.SessionState;
import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.ClientTransport;
import io.holdfast.client.transport.StreamListener;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The API over a cell in the same process. The clock is the test's; waiting is for events, never for time. */
@Timeout(120)
final class HoldfastClientTest {
    private static final String LOCK = "/jobs/reindex";

    private final ManualClock clock = new ManualClock();
    private final FakeCell cell = new FakeCell();
    private final List<HoldfastClient> clients = new ArrayList<>();
    private FakeTransport network = new FakeTransport(cell, clock);

    private HoldfastClient client() {
        HoldfastClient client = HoldfastClient.builder()
                .endpoints("a,b")
                .transport(() -> network)
                .clock(clock)
                .build();
        clients.add(client);
        return client;
    }

    @AfterEach
    void closeAll() {
        network.refuse(false);
        network.loseBack(frame -> false);
        network.loseThere(frame -> false);
        Thread closer = new Thread(() -> clients.forEach(HoldfastClient::close));
        closer.start();
        until(() -> {
            pass(250); // so that a close that nobody answers comes to its end
            return !closer.isAlive();
        });
    }

    /** Lets the clients' time pass in small steps, so that nobody looks paused. */
    private void pass(long millis) {
        for (long passed = 0; passed < millis; passed += 250) {
            clock.advanceMillis(Math.min(250, millis - passed));
            clients.forEach(HoldfastClient::wake);
        }
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the time of this test is over")
                    .isFalse();
            Thread.yield();
        }
    }

    private void passUntil(BooleanSupplier condition) {
        until(() -> {
            pass(100);
            return condition.getAsBoolean();
        });
    }

    private int places() {
        return network.with(FakeCell::placeCount);
    }

    @Test
    void acquireHoldRelease() throws Exception {
        HoldfastClient client = client();
        LockHold hold = client.lock(LOCK).acquire();
        assertThat(hold.isHeld()).isTrue();
        assertThat(hold.path()).isEqualTo(LOCK);
        assertThat(client.state()).isEqualTo(SessionState.SAFE);
        assertThat(client.admin().checkToken(LOCK, hold.token())).isTrue();
        hold.ensureHeld();
        assertThat(hold.remaining()).isBetween(Duration.ofSeconds(11), Duration.ofSeconds(12));

        assertThat(hold.release()).isTrue();
        assertThat(hold.isHeld()).isFalse();
        assertThat(hold.release()).isTrue(); // the same release, told again
        assertThat(places()).isZero();
        assertThatThrownBy(hold::ensureHeld)
                .isInstanceOf(HoldLostException.class)
                .hasMessageContaining("released");

        try (LockHold next = client.lock(LOCK).acquire()) {
            assertThat(next.token()).isGreaterThan(hold.token());
            hold.close();
            assertThat(next.isHeld()).isTrue(); // C17
        }
    }

    @Test
    void tryAndTimeoutAreEmptyWhenHeldByAnother() throws Exception {
        LockHold first = client().lock(LOCK).acquire();
        HoldfastClient other = client();
        assertThat(other.lock(LOCK).tryAcquire()).isEmpty();
        assertThat(other.lock(LOCK).acquire(Duration.ZERO)).isEmpty();

        CompletableFuture<Optional<LockHold>> waiting = other.lock(LOCK).acquireAsync(Duration.ofSeconds(3));
        until(() -> places() == 2);
        pass(3_500);
        assertThat(waiting.get()).isEmpty();
        until(() -> places() == 1); // C62
        first.close();
        assertThat(other.lock(LOCK).tryAcquire()).isPresent();
    }

    @Test
    void sharedHoldersAreSideBySide() throws Exception {
        LockHold one = client().lock(LOCK).shared().acquire();
        LockHold two = client().lock(LOCK).shared().acquire();
        assertThat(one.isShared()).isTrue();
        assertThat(one.isHeld() && two.isHeld()).isTrue();
        assertThat(client().lock(LOCK).tryAcquire()).isEmpty();
    }

    @Test
    void aWaiterIsServedWhenTheHolderReleases() throws Exception {
        LockHold first = client().lock(LOCK).acquire();
        CompletableFuture<LockHold> second = client().lock(LOCK).acquireAsync();
        until(() -> places() == 2);
        first.release();
        assertThat(second.get().token()).isGreaterThan(first.token());
    }

    @Test
    void cancellingTheFutureRemovesTheWaiter() throws Exception {
        LockHold first = client().lock(LOCK).acquire();
        CompletableFuture<LockHold> waiting = client().lock(LOCK).acquireAsync();
        until(() -> places() == 2);
        waiting.cancel(true);
        until(() -> places() == 1);
        assertThat(first.isHeld()).isTrue();
    }

    @Test
    void anInterruptRemovesTheWaiter() throws Exception {
        client().lock(LOCK).acquire();
        HoldfastClient other = client();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                other.lock(LOCK).acquire();
                thrown.complete(new AssertionError("acquired"));
            } catch (InterruptedException | RuntimeException e) {
                thrown.complete(e);
            }
        });
        waiter.start();
        until(() -> places() == 2);
        waiter.interrupt();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        until(() -> places() == 1);
    }

    @Test
    void c05JeopardyIsKnownBeforeTheLoopRunsAndComesBackWithTheSameToken() throws Exception {
        HoldfastClient client = client();
        BlockingQueue<SessionState> states = new LinkedBlockingQueue<>();
        LockHold hold = client.lock(LOCK).acquire();
        client.onState(change -> states.add(change.state()));
        assertThat(states.take()).isEqualTo(SessionState.SAFE); // a late listener first hears the present state
        network.loseThere(frame -> true);
        FencingToken token = hold.token();

        clock.advanceMillis(11_880); // nobody woke the loop
        assertThat(hold.isHeld()).isFalse();
        assertThat(client.state()).isEqualTo(SessionState.JEOPARDY);
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(JeopardyException.class);
        client.wake();
        assertThat(states.take()).isEqualTo(SessionState.JEOPARDY);

        network.loseThere(frame -> false);
        network.with(c -> 0); // the cell judges its deadlines: 12 s are not over
        passUntil(() -> client.state() != SessionState.JEOPARDY || network.with(c -> c.sessionCount()) == 0);
        if (client.state() == SessionState.SAFE) {
            assertThat(hold.token()).isEqualTo(token);
            assertThat(hold.isHeld()).isTrue();
        }
    }

    @Test
    void c01AGrantAfterTheLocalLeaseIsLostAndGivenBack() throws Exception {
        LockHold first = client().lock(LOCK).acquire();
        HoldfastClient sleeper = client();
        CompletableFuture<LockHold> waiting = sleeper.lock(LOCK).acquireAsync();
        until(() -> places() == 2);
        network.with(c -> {
            c.expire(sleeper.session().orElseThrow().id());
            return 0;
        });
        assertThatThrownBy(waiting::get)
                .cause()
                .isInstanceOfSatisfying(
                        SessionExpiredException.class,
                        e -> assertThat(e.isToldByCell()).isTrue());
        first.release();
        assertThat(client().lock(LOCK).tryAcquire()).isPresent();
    }

    @Test
    void afterExpiryHandlesAreDeadUntilTheApplicationAsksForANewSession() throws Exception {
        HoldfastClient client = client();
        LockRecipe lock = client.lock(LOCK);
        LockHold hold = lock.acquire();
        BlockingQueue<String> lost = new LinkedBlockingQueue<>();
        hold.onLost((which, reason) -> lost.add(reason));
        network.with(c -> {
            c.expire(client.session().orElseThrow().id());
            return 0;
        });
        assertThat(lost.take()).contains("operator");
        assertThat(hold.isHeld()).isFalse();
        assertThatThrownBy(hold::ensureHeld)
                .isInstanceOf(HoldLostException.class)
                .hasMessageContaining("operator");
        hold.onLost((which, reason) -> lost.add("late " + reason));
        assertThat(lost.take()).startsWith("late");
        assertThat(hold.release()).isFalse();

        SessionExpiredException refused = catchThrowableOfType(SessionExpiredException.class, lock::tryAcquire);
        assertThat(refused.outcome()).isEqualTo(HoldfastException.Outcome.DEFINITE_NOT_DONE);
        assertThat(client.values().get("/a")).isEmpty(); // reads need no session

        client.newSession();
        LockHold again = lock.acquire(); // C115: objects of the same client work on
        assertThat(again.token()).isGreaterThan(hold.token());
        assertThat(hold.isHeld()).isFalse();
        assertThat(client.state()).isEqualTo(SessionState.SAFE);
    }

    @Test
    void c119CausesHaveTypesOfTheirOwn() throws Exception {
        client().lock(LOCK).acquire();
        HoldfastClient client = client();
        client.values().put("/a", new byte[] {1});

        BadVersionException badVersion = catchThrowableOfType(
                BadVersionException.class, () -> client.values().put("/a", new byte[0], 5));
        assertThat(badVersion.code()).isEqualTo("BAD_VERSION");
        assertThatThrownBy(() -> client.values().delete("/nowhere"))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(ErrorCode.NOT_FOUND));

        network.loseBack(frame -> frame instanceof ServerFrame.Reply);
        CompletableFuture<PutResult> unknown = client.values().putAsync("/b", new byte[0]);
        passUntil(unknown::isDone);
        assertThatThrownBy(unknown::get)
                .cause()
                .isInstanceOfSatisfying(
                        UnknownOutcomeException.class,
                        e -> assertThat(e.outcome()).isEqualTo(HoldfastException.Outcome.UNKNOWN));

        HoldfastClient cutOff = client();
        network.refuse(true);
        CompletableFuture<PutResult> unreachable = cutOff.values().putAsync("/c", new byte[0]);
        CompletableFuture<LockHold> lock = cutOff.lock(LOCK).acquireAsync();
        passUntil(() -> unreachable.isDone() && lock.isDone());
        assertThatThrownBy(unreachable::get)
                .hasCauseInstanceOf(UnreachableException.class)
                .hasMessageContaining("connection refused");
        assertThatThrownBy(lock::get).hasCauseInstanceOf(UnreachableException.class);
    }

    @Test
    void valuesHaveVersionsAndNeedASessionOnlyForWritesAndTheCache() {
        HoldfastClient client = client();
        assertThat(client.values().withoutSession().get("/config/a")).isEmpty();
        assertThat(client.session()).isEmpty();
        assertThat(client.values().create("/config/a", "x".getBytes()).version())
                .isZero();
        assertThat(client.values().put("/config/a", "y".getBytes(), 0).version())
                .isEqualTo(1);
        Value value = client.values().get("/config/a").orElseThrow();
        assertThat(value.text()).isEqualTo("y");
        assertThat(value.version()).isEqualTo(1);
        assertThatThrownBy(() -> client.values().create("/config/a", new byte[0]))
                .isInstanceOf(BadVersionException.class);
        client.values().delete("/config/a", 1);
        assertThat(client.values().get("/config/a")).isEmpty();
        assertThat(client.session()).isPresent();
    }

    @Test
    void toolsWriteWithoutASession() {
        HoldfastClient client = client();
        Values values = client.values().withoutSession();
        values.put("/config/a", new byte[] {1});
        assertThat(values.get("/config/a")).isPresent();
        values.delete("/config/a");
        assertThat(client.session()).isEmpty();
        assertThat(client.admin().sessions()).isEmpty();
    }

    @Test
    void listsAreReadPageByPage() throws Exception {
        HoldfastClient client = client();
        network.with(c -> {
            for (int i = 0; i < 2_500; i++) {
                NodePath path = new NodePath("/many/%05d".formatted(i));
                c.values().put(path, new io.holdfast.model.Answer.Value(path, new byte[0], 0, 1, 1));
            }
            return 0;
        });
        assertThat(client.values().list("/many")).hasSize(2_500).isSorted().doesNotHaveDuplicates();
        assertThat(client.values().listAsync("/many").get()).hasSize(2_500);
        assertThat(client.values().list("/many", "", 2)).isEqualTo(new ChildrenPage(List.of("00000", "00001"), true));
        assertThat(client.values().list("/many", "02497", 2))
                .isEqualTo(new ChildrenPage(List.of("02498", "02499"), false));
        assertThat(client.values().listAsync("/many", "02499", 2).get()).isEqualTo(new ChildrenPage(List.of(), false));
    }

    @Test
    void adminAsksWithoutASession() throws Exception {
        LockHold hold = client().lock(LOCK).acquire();
        Admin admin = client().admin();
        assertThat(admin.status().leader()).isEqualTo("r1");
        assertThat(admin.locks("/jobs")).singleElement().satisfies(place -> {
            assertThat(place.token()).isEqualTo(hold.token());
            assertThat(place.held()).isTrue();
        });
        assertThat(admin.sessions()).hasSize(1);
        assertThat(admin.checkToken(LOCK, new FencingToken(999))).isFalse();
        assertThatThrownBy(() -> admin.stat("/nowhere")).isInstanceOf(RefusedException.class);
    }

    @Test
    void c113EveryKindOfCallWorksFromACallbackAndASlowOneDelaysNothing() throws Exception {
        HoldfastClient client = client();
        CountDownLatch slow = new CountDownLatch(1);
        CompletableFuture<Object> fromState = new CompletableFuture<>();
        client.onState(change -> {
            try {
                slow.await(); // blocks for the whole test
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        client.onState(change -> {
            if (change.state() == SessionState.SAFE) {
                client.values().put("/from/state", new byte[0]);
                fromState.complete(client.values().get("/from/state"));
            }
        });
        LockHold hold = client.lock(LOCK).acquire();
        assertThat(fromState.get()).isNotNull();

        CompletableFuture<Boolean> fromFuture = client.values().getAsync("/a").thenApply(value -> hold.release());
        assertThat(fromFuture.get()).isTrue();
        pass(30_000);
        assertThat(client.state()).isEqualTo(SessionState.SAFE); // renewed all the time
        CompletableFuture<Void> closing = client.values().getAsync("/a").thenAccept(value -> client.close());
        slow.countDown();
        closing.get();
        assertThat(client.state()).isEqualTo(SessionState.CLOSED);
    }

    @Test
    void r13AClockJumpIsKnownAtOnceAndCured() throws Exception {
        HoldfastClient client = client();
        LockHold hold = client.lock(LOCK).acquire();
        network.loseThere(frame -> frame instanceof ClientFrame.KeepAlive);
        clock.wallGains(1_500); // suspended: the monotonic clock stood still
        assertThat(hold.isHeld()).isFalse();
        client.wake();
        until(() -> client.state() == SessionState.JEOPARDY);
        assertThat(hold.isHeld()).isFalse();
        network.loseThere(frame -> false);
        passUntil(() -> client.state() == SessionState.SAFE);
        assertThat(hold.isHeld()).isTrue();
    }

    /** Sleeps too short to be jumps: each alone would lengthen the lease. */
    @Test
    void r13ShortSleepsCountAgainstTheLease() throws Exception {
        HoldfastClient client = client();
        LockHold hold = client.lock(LOCK).acquire();
        network.loseThere(frame -> frame instanceof ClientFrame.KeepAlive);
        for (int i = 0; i < 11; i++) {
            clock.advanceMillis(100);
            clock.wallGains(970);
            assertThat(hold.isHeld()).isTrue();
        }
        clock.wallGains(110); // 11.88 s in all, of which the monotonic clock knows of 1.1 s
        assertThat(hold.isHeld()).isFalse();
        client.wake();
        until(() -> client.state() == SessionState.JEOPARDY);
        network.loseThere(frame -> false);
        passUntil(() -> client.state() == SessionState.SAFE);
        assertThat(hold.isHeld()).isTrue();
    }

    /** As on a machine so busy that the session's own end comes later than the patience of close. */
    @Test
    void closeLeavesNobodyWaitingAlsoIfTheLoopDoesNotEndByItself() {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        HoldfastClient client = HoldfastClient.builder()
                .endpoints("a")
                .transport(() -> new OwnThread(network, thread))
                .clock(clock) // it stands still, so that the session never thinks that its time to close is over
                .closeTimeout(Duration.ofMillis(1))
                .build();
        assertThat(client.values().get("/a")).isEmpty();
        network.loseBack(frame -> true);
        CompletableFuture<?> read = client.values().getAsync("/a");
        client.close();
        assertThat(thread.isShutdown()).isTrue();
        assertThatThrownBy(read::get).hasCauseInstanceOf(ClientClosedException.class);
        assertThat(client.state()).isEqualTo(SessionState.CLOSED);
        assertThatThrownBy(() -> client.values().get("/a")).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void whatWasSentBeforeAnEndByForceMayHaveBeenDone() throws Exception {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        HoldfastClient client = HoldfastClient.builder()
                .endpoints("a")
                .transport(() -> new OwnThread(network, thread))
                .clock(clock)
                .closeTimeout(Duration.ofMillis(1))
                .build();
        LockHold hold = client.lock(LOCK).acquire();
        CountDownLatch done = new CountDownLatch(1);
        network.loseBack(frame -> {
            if (frame instanceof ServerFrame.Reply) {
                done.countDown();
            }
            return true;
        });
        CompletableFuture<PutResult> put = client.values().putAsync("/a", new byte[] {1});
        until(() -> done.getCount() == 0);
        client.close();
        ExecutionException failed = catchThrowableOfType(ExecutionException.class, put::get);
        assertThat(((HoldfastException) failed.getCause()).outcome()).isEqualTo(HoldfastException.Outcome.UNKNOWN);
        assertThat(hold.isHeld()).isFalse(); // R4.4
        HoldfastException late = catchThrowableOfType(
                HoldfastException.class, () -> client.values().put("/a", new byte[] {2}));
        assertThat(late.outcome()).isEqualTo(HoldfastException.Outcome.DEFINITE_NOT_DONE);
    }

    @Test
    void anExecutorThatCannotStartAThreadCostsNoCallback() throws Exception {
        BlockingQueue<SessionState> told = new LinkedBlockingQueue<>();
        HoldfastClient client = HoldfastClient.builder()
                .endpoints("a")
                .transport(() -> network)
                .clock(clock)
                .callbackExecutor(task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                })
                .build();
        clients.add(client);
        client.onState(change -> told.add(change.state()));
        assertThat(client.values().get("/a")).isEmpty();
        client.lock(LOCK).acquire();
        until(() -> told.contains(SessionState.SAFE)); // told by another thread than the call's
    }

    private record OwnThread(FakeTransport network, ScheduledExecutorService executor) implements ClientTransport {
        @Override
        public ClientStream open(String endpoint, StreamListener listener) {
            return network.open(endpoint, listener);
        }

        @Override
        public void close() {
            executor.shutdownNow();
        }
    }

    @Test
    void closeReleasesWhatIsHeldIsIdempotentAndLeavesNoThread() throws Exception {
        HoldfastClient client = client();
        LockHold hold = client.lock(LOCK).acquire();
        CompletableFuture<LockHold> waiting = client.lock(LOCK).acquireAsync();
        until(() -> places() == 2);
        client.onState(change -> {});
        client.close();
        client.close();
        assertThat(hold.isHeld()).isFalse();
        assertThat(hold.release()).isFalse();
        assertThat(places()).isZero();
        assertThat(network.with(FakeCell::sessionCount)).isZero();
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> client.lock(LOCK).acquire()).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> client.values().get("/a")).isInstanceOf(ClientClosedException.class);
        BlockingQueue<SessionState> late = new LinkedBlockingQueue<>();
        client.onState(change -> late.add(change.state()));
        assertThat(late.poll(5, TimeUnit.SECONDS)).isEqualTo(SessionState.CLOSED);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(t -> t.getName().startsWith("holdfast-client"));
    }

    @Test
    void aReleaseThatIsNotAnsweredIsRepeatedInTheBackground() throws Exception {
        HoldfastClient client = client();
        LockHold hold = client.lock(LOCK).acquire();
        network.loseThere(frame -> frame instanceof ClientFrame.Request);
        CompletableFuture<Boolean> released = hold.releaseAsync();
        assertThat(hold.isHeld()).isFalse(); // R4.4: from before it is sent
        pass(2_000);
        assertThat(released).isNotDone();
        network.loseThere(frame -> false);
        passUntil(released::isDone);
        assertThat(released.get()).isTrue();
        assertThat(places()).isZero();
    }

    @Test
    void anAnswerThatDoesNotFitIsReportedNotThrownOnTheLoop() {
        HoldfastClient client = client();
        client.values().put("/a", new byte[0]);
        network.with(c -> c.answerInstead = new Outcome.Released(true));
        assertThatThrownBy(() -> client.values().put("/a", new byte[0]))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(ErrorCode.INTERNAL));
        network.with(c -> c.answerInstead = null);
        client.values().put("/a", new byte[0]);
    }

    /** Blocking there is the application's right; the client's own thread goes on. */
    @Test
    void whatAnExecutorRefusesDoesNotRunOnTheClientsLoop() throws Exception {
        BlockingQueue<String> threads = new LinkedBlockingQueue<>();
        HoldfastClient client = HoldfastClient.builder()
                .endpoints("a")
                .transport(() -> network)
                .clock(clock)
                .callbackExecutor(task -> {
                    throw new RejectedExecutionException("full");
                })
                .build();
        clients.add(client);
        client.onState(change -> threads.add(Thread.currentThread().getName()));
        client.lock(LOCK).acquire();
        assertThat(threads.take()).startsWith("holdfast-client-callback-");
    }

    @Test
    void anExecutorThatRunsOnTheLoopIsRefusedRatherThanBlockedForEver() throws Exception {
        HoldfastClient client = HoldfastClient.builder()
                .transport(() -> network)
                .clock(clock)
                .callbackExecutor(Runnable::run)
                .build();
        clients.add(client);
        CompletableFuture<Optional<Value>> nested = client.values()
                .putAsync("/a", new byte[0])
                .thenApply(put -> client.values().get("/a"));
        try {
            nested.get();
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(IllegalStateException.class);
        }
    }
}
