package io.holdfast.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The contract in memory, and what is this form's own. */
class MemoryGuardTest extends ModesContract {
    private final MemoryGuard guard = new MemoryGuard();

    @Override
    protected <T> T using(GuardUse<T> use) throws Exception {
        return use.with(guard);
    }

    @Test
    void atItsLimitItRefusesANewLockAndForgetsNone() {
        MemoryGuard small = new MemoryGuard(2);
        small.check(Grant.exclusive("/a", 5));
        small.check(Grant.exclusive("/b", 5));
        assertThatThrownBy(() -> small.check(Grant.exclusive("/c", 5)))
                .isInstanceOf(GuardFailedException.class)
                .hasMessageContaining("2 locks")
                .hasMessageContaining("'/c'");
        small.check(Grant.exclusive("/a", 6));
        assertThatThrownBy(() -> small.check(Grant.exclusive("/b", 4))).isInstanceOf(StaleTokenException.class);
        assertThat(small.rejections()).isOne();
        assertThatIllegalArgumentException().isThrownBy(() -> new MemoryGuard(0));
    }

    @Test
    void aWriteMustNotAskAboutItsOwnLock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> guard.guarded(Grant.exclusive(LOCK, 1), () -> {
                    guard.check(Grant.exclusive(LOCK, 2));
                    return null;
                }))
                .withMessageContaining("its own guard");
        guard.guarded(Grant.exclusive(LOCK, 1), () -> {
            guard.check(Grant.exclusive("/another", 2));
            return null;
        });
    }

    @Test
    void theRefusalOfAnotherGuardIsNotCountedHere() {
        MemoryGuard other = new MemoryGuard();
        other.check(Grant.exclusive(LOCK, 9));
        assertThatThrownBy(() -> guard.guarded(Grant.exclusive(LOCK, 1), () -> {
                    other.check(Grant.exclusive(LOCK, 1));
                    return null;
                }))
                .isInstanceOf(StaleTokenException.class);
        assertThat(guard.rejections()).isZero();
        assertThat(other.rejections()).isOne();
    }
}
