package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.protocol.frame.ServerFrame;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lock as {@link Lock}: what differs from a lock of one process is what it says. */
@Timeout(120)
final class LockViewTest {
    private static final String PATH = "/jobs/reindex";

    private final ClientBench bench = new ClientBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void lockedAndUnlockedByOneThread() throws Exception {
        LockView lock = bench.client().lock(PATH).asLock();
        lock.lock();
        assertThat(lock.hold().isHeld()).isTrue();
        assertThat(lock.hold().token().value()).isPositive();
        assertThat(bench.client().lock(PATH).asLock().tryLock()).isFalse();
        lock.unlock();
        assertThat(bench.places()).isZero();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        lock.lockInterruptibly();
        lock.unlock();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
    }

    @Test
    void onlyTheThreadThatTookItUnlocks() throws Exception {
        LockView lock = bench.client().lock(PATH).asLock();
        lock.lock();
        CompletableFuture<Boolean> other = bench.inThread(() -> {
            lock.unlock();
            return true;
        });
        assertThatThrownBy(other::get).hasCauseInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.hold().isHeld()).isTrue();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(lock::hold).isInstanceOf(IllegalMonitorStateException.class);
    }

    /** R4.5: it would wait for itself. */
    @Test
    void aThreadThatHoldsItIsToldInsteadOfWaitingForItself() {
        LockView lock = bench.client().lock(PATH).asLock();
        lock.lock();
        assertThatThrownBy(lock::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("wait for itself");
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
        assertThat(lock.tryLock()).isFalse();
        lock.unlock();
    }

    @Test
    void threadsOfOneClientTakeTurns() throws Exception {
        LockView lock = bench.client().lock(PATH).asLock();
        lock.lock();
        CompletableFuture<Boolean> other = bench.inThread(() -> {
            lock.lock();
            lock.unlock();
            return true;
        });
        ClientBench.until(() -> bench.places() == 2);
        assertThat(other.isDone()).isFalse();
        lock.unlock();
        assertThat(other.get()).isTrue();
    }

    /** R4.4: with one hold for the view, the late thread would have unlocked what the next one has got. */
    @Test
    void aLateThreadNeverUnlocksWhatTheNextOneHas() throws Exception {
        HoldfastClient client = bench.client();
        LockView lock = client.lock(PATH).asLock();
        lock.lock();
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Boolean> next = bench.inThread(() -> {
            lock.lock();
            end.await();
            boolean held = lock.hold().isHeld();
            lock.unlock();
            return held;
        });
        ClientBench.until(() -> bench.places() == 2);
        bench.breakFirst(PATH);
        ClientBench.until(() -> !lock.hold().isHeld());
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(HoldLostException.class)
                .hasMessageContaining("may have met another holder's");
        end.countDown();
        assertThat(next.get()).isTrue();
    }

    @Test
    void unlockAfterTheEndOfTheSessionSaysThatItWasLost() {
        HoldfastClient client = bench.client();
        LockView lock = client.lock(PATH).asLock();
        lock.lock();
        bench.expire(client);
        assertThatThrownBy(lock::unlock).isInstanceOf(HoldLostException.class);
        assertThatThrownBy(lock::lock).isInstanceOf(SessionExpiredException.class);
        client.newSession();
        lock.lock();
        lock.unlock();
    }

    /** "False" or "it would wait for itself" would hide that the thread has lost what it believes to hold. */
    @Test
    void whoeverLostItIsToldSoByEveryWayOfTakingItAgain() {
        HoldfastClient client = bench.client();
        ReadWriteLockView view = client.lock(PATH).asReadWriteLock();
        LockView lock = view.writeLock();
        lock.lock();
        bench.breakFirst(PATH);
        ClientBench.until(() -> !lock.hold().isHeld());
        assertThatThrownBy(lock::tryLock).isInstanceOf(HoldLostException.class).hasMessageContaining("unlock first");
        assertThatThrownBy(lock::lock).isInstanceOf(HoldLostException.class);
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(HoldLostException.class);
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(HoldLostException.class);
        assertThatThrownBy(view.readLock()::tryLock).isInstanceOf(HoldLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(HoldLostException.class);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    /** An unlock that nobody answered may have come after the loss: the caller must know. */
    @Test
    void anUnlockThatIsNotAnsweredIsUnknown() {
        HoldfastClient client = bench.client(HoldfastClient.builder().callTimeout(Duration.ofMillis(200)));
        LockView lock = client.lock(PATH).asLock();
        lock.lock();
        bench.network.loseBack(frame -> frame instanceof ServerFrame.Reply);
        assertThatThrownBy(lock::unlock).isInstanceOf(UnknownOutcomeException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(bench.places()).isZero();
    }

    @Test
    void anInterruptDoesNotDisturbLockAndUnlock() throws Exception {
        LockHold first = bench.client().lock(PATH).acquire();
        LockView lock = bench.client().lock(PATH).asLock();
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> waiting = bench.inThread(() -> {
            begun.complete(Thread.currentThread());
            lock.lock();
            boolean stillSet = Thread.currentThread().isInterrupted();
            lock.unlock();
            return stillSet && Thread.interrupted();
        });
        ClientBench.until(() -> bench.places() == 2);
        begun.get().interrupt();
        ClientBench.until(() -> !begun.join().isInterrupted()); // it was taken note of
        assertThat(bench.places()).isEqualTo(2);
        first.release();
        assertThat(waiting.get()).isTrue();
        assertThat(bench.places()).isZero();
    }

    @Test
    void anInterruptEndsAnInterruptibleWait() throws Exception {
        LockHold first = bench.client().lock(PATH).acquire();
        LockView lock = bench.client().lock(PATH).asLock();
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> waiting = bench.inThread(() -> {
            begun.complete(Thread.currentThread());
            lock.lockInterruptibly();
            return true;
        });
        ClientBench.until(() -> bench.places() == 2);
        begun.get().interrupt();
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(InterruptedException.class);
        ClientBench.until(() -> bench.places() == 1);
        assertThat(first.isHeld()).isTrue();
    }

    @Test
    void thereAreNoConditions() {
        Lock lock = bench.client().lock(PATH).asLock();
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void readersShareAndAWriterIsAlone() throws Exception {
        ReadWriteLockView one = bench.client().lock(PATH).asReadWriteLock();
        ReadWriteLockView two = bench.client().lock(PATH).asReadWriteLock();
        one.readLock().lock();
        assertThat(two.readLock().tryLock()).isTrue();
        assertThat(bench.client().lock(PATH).asLock().tryLock()).isFalse();
        CompletableFuture<Boolean> writer = bench.inThread(() -> {
            two.writeLock().lock();
            two.writeLock().unlock();
            return true;
        });
        ClientBench.until(() -> bench.places() == 3);
        one.readLock().unlock();
        assertThat(writer.isDone()).isFalse();
        two.readLock().unlock();
        assertThat(writer.get()).isTrue();
    }

    @Test
    void thereIsNeitherUpgradeNorDowngrade() {
        ReadWriteLockView lock = bench.client().lock(PATH).shared().asReadWriteLock();
        lock.readLock().lock();
        assertThatThrownBy(lock.writeLock()::lock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock.writeLock()::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.readLock().unlock();
        lock.writeLock().lock();
        assertThat(lock.writeLock().hold().isShared()).isFalse();
        assertThatThrownBy(lock.readLock()::lock).isInstanceOf(IllegalStateException.class);
        lock.writeLock().unlock();
        assertThat(bench.places()).isZero();
    }
}
