package io.holdfast.fencing.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.LockName;
import io.holdfast.model.FencingToken;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The format is what it says, and any damage is noticed. */
class FenceFormatTest {
    private static byte[] example() {
        TreeMap<LockName, Fence> fences = new TreeMap<>();
        fences.put(new LockName("/b 2 3"), new Fence(new FencingToken(0), new FencingToken(12)));
        fences.put(new LockName("/a"), new Fence(new FencingToken(7), new FencingToken(Long.MAX_VALUE)));
        return FenceFormat.encode(fences);
    }

    @Test
    void isTextOfOneLineEach() {
        assertThat(new String(example(), StandardCharsets.UTF_8))
                .startsWith("holdfast-guard 1\n7 9223372036854775807 /a\n0 12 /b 2 3\ncrc32c ")
                .matches("(?s).*crc32c [0-9a-f]{8}\n");
    }

    @Test
    void comesBack() {
        assertThat(FenceFormat.encode(FenceFormat.decode(example()))).isEqualTo(example());
        assertThat(FenceFormat.decode(FenceFormat.encode(new TreeMap<>()))).isEmpty();
    }

    @Test
    void everyTruncationIsDamage() {
        byte[] whole = example();
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException().isThrownBy(() -> FenceFormat.decode(part));
        }
    }

    @Test
    void everyFlippedBitIsDamage() {
        byte[] whole = example();
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatIllegalArgumentException().as("bit %d", bit).isThrownBy(() -> FenceFormat.decode(flipped));
        }
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] other = new String(example(), StandardCharsets.UTF_8)
                .replace("guard 1", "guard 2")
                .getBytes(StandardCharsets.UTF_8);
        assertThatIllegalArgumentException().isThrownBy(() -> FenceFormat.decode(other));
    }
}
