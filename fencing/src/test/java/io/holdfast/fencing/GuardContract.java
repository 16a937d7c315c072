package io.holdfast.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.model.FencingToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What every form of a guard does with exclusive grants, and with many threads. {@link ModesContract} adds shared ones. Each
 * use of the guard is what the form calls one: a call, or a transaction.
 */
public abstract class GuardContract {
    protected static final String LOCK = "/accounts";

    /** Runs one use of the guard that is tested; what it throws is thrown on. */
    protected abstract <T> T using(GuardUse<T> use) throws Exception;

    /** Whether the form knows shared grants. */
    protected boolean knowsShared() {
        return false;
    }

    /** Some use of a guard. */
    @FunctionalInterface
    public interface GuardUse<T> {
        T with(FencingGuard guard) throws Exception;
    }

    protected final void check(Grant grant) throws Exception {
        using(guard -> {
            guard.check(grant);
            return grant;
        });
    }

    protected final void refused(Grant grant, long accepted) throws Exception {
        long before = using(FencingGuard::rejections);
        assertThatThrownBy(() -> check(grant)).isInstanceOfSatisfying(StaleTokenException.class, stale -> {
            assertThat(stale.lock()).isEqualTo(grant.lock());
            assertThat(stale.token()).isEqualTo(grant.token());
            assertThat(stale.accepted()).isEqualTo(new FencingToken(accepted));
            assertThat(stale)
                    .hasMessageContaining(grant.lock().value())
                    .hasMessageContaining("token " + grant.token())
                    .hasMessageContaining("accepted token " + accepted);
        });
        assertThat(using(FencingGuard::rejections)).isEqualTo(before + 1);
    }

    protected final Fence fence(String lock) throws Exception {
        return using(guard -> guard.fence(new LockName(lock)));
    }

    protected static Fence fenceOf(long exclusive, long highest) {
        return new Fence(new FencingToken(exclusive), new FencingToken(highest));
    }

    @Test
    void theFirstTokenIsAcceptedAndRemembered() throws Exception {
        assertThat(fence(LOCK)).isEqualTo(Fence.NONE);
        check(Grant.exclusive(LOCK, 7));
        assertThat(fence(LOCK)).isEqualTo(fenceOf(7, 7));
        assertThat(using(FencingGuard::rejections)).isZero();
    }

    @Test
    void aHolderWritesManyTimes() throws Exception {
        for (int i = 0; i < 3; i++) {
            check(Grant.exclusive(LOCK, 7));
        }
        assertThat(fence(LOCK)).isEqualTo(fenceOf(7, 7));
    }

    @Test
    void anOlderTokenIsRefusedAndChangesNothing() throws Exception {
        check(Grant.exclusive(LOCK, 7));
        check(Grant.exclusive(LOCK, 9));
        refused(Grant.exclusive(LOCK, 8), 9);
        refused(Grant.exclusive(LOCK, 7), 9);
        assertThat(fence(LOCK)).isEqualTo(fenceOf(9, 9));
        check(Grant.exclusive(LOCK, 9));
    }

    @Test
    void noGrantIsNoGrant() {
        assertThatThrownBy(() -> check(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("needs a grant");
    }

    @Test
    void theLargestTokenIsNotTooLarge() throws Exception {
        check(Grant.exclusive(LOCK, Long.MAX_VALUE));
        refused(Grant.exclusive(LOCK, Long.MAX_VALUE - 1), Long.MAX_VALUE);
    }

    @Test
    void raisingIsEnoughToRefuseThePredecessor() throws Exception {
        check(Grant.exclusive(LOCK, 7));
        using(guard -> {
            guard.raise(Grant.exclusive(LOCK, 8));
            return guard;
        });
        refused(Grant.exclusive(LOCK, 7), 8);
    }

    @Test
    void oneThatIsNoLongerTheNewestCannotRaise() throws Exception {
        check(Grant.exclusive(LOCK, 8));
        assertThatThrownBy(() -> using(guard -> {
                    guard.raise(Grant.exclusive(LOCK, 7));
                    return guard;
                }))
                .isInstanceOf(StaleTokenException.class);
        assertThat(fence(LOCK)).isEqualTo(fenceOf(8, 8));
    }

    @Test
    void aGuardedWriteRunsOnlyIfTheTokenIsAccepted() throws Exception {
        List<String> written = new ArrayList<>();
        String returned = using(guard -> guard.guarded(Grant.exclusive(LOCK, 8), () -> {
            written.add("8");
            return "done";
        }));
        assertThat(returned).isEqualTo("done");
        assertThatThrownBy(() -> using(guard -> guard.guarded(Grant.exclusive(LOCK, 7), () -> written.add("7"))))
                .isInstanceOf(StaleTokenException.class);
        assertThat(written).containsExactly("8");
    }

    @Test
    void whatTheWriteThrowsIsThrownOn() throws Exception {
        check(Grant.exclusive(LOCK, 7));
        assertThatThrownBy(() -> using(guard -> guard.guarded(Grant.exclusive(LOCK, 7), () -> {
                    throw new IOException("the application's own");
                })))
                .isInstanceOf(IOException.class)
                .hasMessage("the application's own");
        check(Grant.exclusive(LOCK, 7)); // and the guard is free for the next
        assertThat(using(FencingGuard::rejections)).isZero();
    }

    /** A raise that comes while a write runs returns after it, so the new holder reads what the old one wrote. */
    @Test
    void aRaiseWaitsForAWriteThatHasBegun() throws Exception {
        check(Grant.exclusive(LOCK, 1));
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch raising = new CountDownLatch(1);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<?> newHolder = thread.submit(() -> {
                writing.await();
                raising.countDown();
                return using(guard -> {
                    guard.raise(Grant.exclusive(LOCK, 2));
                    return order.add("raised");
                });
            });
            using(guard -> guard.guarded(Grant.exclusive(LOCK, 1), () -> {
                writing.countDown();
                raising.await();
                return order.add("written");
            }));
            newHolder.get();
        } finally {
            thread.shutdown();
        }
        assertThat(order).containsExactly("written", "raised");
        refused(Grant.exclusive(LOCK, 1), 2);
    }

    /** Random tokens from several threads: what is accepted never goes back, what is refused was overtaken. */
    @Test
    void acceptedTokensNeverGoBack() throws Exception {
        for (long seed = 1; seed <= 3; seed++) {
            new RandomGrants(this, "/random", seed).run();
        }
    }
}
