package io.holdfast.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R4.7, its second sentence, word by word. */
class FenceTest {
    @ParameterizedTest(name = "exclusive {0}, highest {1}: {2} {3} admitted: {4}")
    @CsvSource({
        "0, 0, SHARED, 1, true",
        "0, 0, EXCLUSIVE, 1, true",
        // "a shared token is refused below the highest exclusive token seen"
        "5, 9, SHARED, 4, false",
        "5, 9, SHARED, 5, true",
        "5, 9, SHARED, 6, true",
        // "an exclusive token below the highest of all"
        "5, 9, EXCLUSIVE, 5, false",
        "5, 9, EXCLUSIVE, 8, false",
        "5, 9, EXCLUSIVE, 9, true",
        "5, 9, EXCLUSIVE, 10, true",
        "0, 9, SHARED, 1, true",
        "0, 9, EXCLUSIVE, 8, false",
    })
    void admitsAsR47Says(long exclusive, long highest, LockMode mode, long token, boolean admitted) {
        Fence fence = new Fence(new FencingToken(exclusive), new FencingToken(highest));
        assertThat(fence.admits(new Grant(new LockName("/a"), mode, new FencingToken(token))))
                .isEqualTo(admitted);
    }

    @ParameterizedTest(name = "exclusive {0}, highest {1}, then {2} {3}: exclusive {4}, highest {5}")
    @CsvSource({
        "5, 9, SHARED, 6, 5, 9",
        "5, 9, SHARED, 12, 5, 12",
        "5, 9, EXCLUSIVE, 12, 12, 12",
        "0, 0, SHARED, 3, 0, 3",
        "0, 0, EXCLUSIVE, 3, 3, 3",
    })
    void onlyRises(long exclusive, long highest, LockMode mode, long token, long newExclusive, long newHighest) {
        Fence fence = new Fence(new FencingToken(exclusive), new FencingToken(highest));
        assertThat(fence.raisedBy(new Grant(new LockName("/a"), mode, new FencingToken(token))))
                .isEqualTo(new Fence(new FencingToken(newExclusive), new FencingToken(newHighest)));
    }

    @Test
    void aFenceThatCannotBeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Fence(new FencingToken(6), new FencingToken(5)))
                .withMessageContaining("exclusive 6");
        assertThatIllegalArgumentException().isThrownBy(() -> new Fence(new FencingToken(-1), new FencingToken(5)));
    }
}
