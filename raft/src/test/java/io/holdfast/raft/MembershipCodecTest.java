package io.holdfast.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MembershipCodecTest {
    private static final Membership SOME = new Membership(
            TestCore.voters("r1@9f", "r2@\u00e9\u20ac", "r3").voters(), new TreeSet<>(List.of(TestCore.id("learner"))));

    @Test
    void decodesWhatItEncoded() {
        assertThat(MembershipCodec.decode(MembershipCodec.encode(SOME))).isEqualTo(SOME);
        Membership nobody = new Membership(new TreeSet<>(), new TreeSet<>());
        assertThat(MembershipCodec.decode(MembershipCodec.encode(nobody))).isEqualTo(nobody);
    }

    @Test
    void bytesAreFixed() {
        byte[] bytes = MembershipCodec.encode(TestCore.voters("a"));
        assertThat(bytes).containsExactly(1, 0, 1, 0, 1, 0, 'a', 0, 0);
    }

    @Test
    void refusesEveryCutAndEveryOtherVersion() {
        byte[] bytes = MembershipCodec.encode(SOME);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> MembershipCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> MembershipCodec.decode(longer)).isInstanceOf(IllegalArgumentException.class);
        byte[] newer = bytes.clone();
        newer[0] = 2;
        assertThatThrownBy(() -> MembershipCodec.decode(newer)).isInstanceOf(IllegalArgumentException.class);
    }
}
