package io.holdfast.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input never reaches a guard, and the message says what is wrong with it. */
class GrantTest {
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aTokenIsAboveZero(long token) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grant.exclusive("/a", token))
                .withMessageContaining("lock '/a'")
                .withMessageContaining("above 0, it is " + token);
    }

    @Test
    void theLargestTokenIsFine() {
        assertThat(Grant.shared("/a", Long.MAX_VALUE).token().value()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void nothingMayBeMissing() {
        LockName lock = new LockName("/a");
        FencingToken token = new FencingToken(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Grant(null, LockMode.SHARED, token))
                .withMessageContaining("name its lock");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Grant(lock, null, token))
                .withMessageContaining("mode");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Grant(lock, LockMode.SHARED, null))
                .withMessageContaining("token");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockName(null))
                .withMessageContaining("not be null");
    }

    /** ADR 0011: no order of permits tells a live one from a dead one. */
    @Test
    void aPermitIsNoGrantForAGuard() {
        LockName semaphore = new LockName("/s");
        FencingToken token = new FencingToken(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Grant(semaphore, LockMode.PERMIT, token))
                .withMessageContaining("one lock for each slot");
    }

    @Test
    void aNameIsNotEmpty() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LockName("")).withMessageContaining("not be empty");
    }

    @Test
    void aNameHasAtMost1024BytesOfUtf8() {
        assertThat(new LockName("é".repeat(512)).value()).hasSize(512);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockName("é".repeat(512) + "x"))
                .withMessageContaining("at most 1024 bytes")
                .withMessageContaining("has 1025");
    }

    @Test
    void aNameHasNoControlCharacter() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockName("/a\n9 9 /b"))
                .withMessageContaining("position 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockName("\0"))
                .withMessageContaining("control character");
    }

    @Test
    void aNameIsValidUnicode() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockName("/\ud800"))
                .withMessageContaining("valid Unicode");
        assertThat(new LockName("/\ud83d\udd12").value()).hasSize(3);
    }
}
