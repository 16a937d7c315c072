package io.holdfast.client.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.fake.ManualClock;
import org.junit.jupiter.api.Test;

/** R1.3: no suspension of the machine goes unnoticed, whenever it happens. */
final class WallClockGuardTest {
    private final ManualClock clock = new ManualClock();
    private final WallClockGuard guard = new WallClockGuard(clock);

    @Test
    void aGainOfMoreThanASecondIsAJumpUntilItIsAccepted() {
        clock.wallGains(1_000);
        assertThat(guard.hasJumped()).isFalse();
        clock.wallGains(1);
        assertThat(guard.hasJumped()).isTrue();
        guard.accept(guard.look());
        assertThat(guard.hasJumped()).isFalse();
    }

    @Test
    void aSuspensionBetweenALookAndItsAcceptanceIsStillSeen() {
        clock.advanceMillis(11_000); // long enough to follow
        long seen = guard.look();
        clock.wallGains(3_600_000);
        guard.follow(seen);
        assertThat(guard.hasJumped()).isTrue();
    }

    @Test
    void aSecondSuspensionWhileTheFirstIsHandledIsStillSeen() {
        clock.wallGains(2_000);
        long seen = guard.look();
        assertThat(guard.isJump(seen)).isTrue();
        clock.wallGains(3_600_000);
        guard.accept(seen);
        assertThat(guard.hasJumped()).isTrue();
    }

    @Test
    void aWallClockThatIsSlewedNeverAddsUpToAJump() {
        for (int i = 0; i < 100; i++) {
            clock.advanceMillis(10_001);
            clock.wallGains(900);
            long seen = guard.look();
            assertThat(guard.isJump(seen)).isFalse();
            guard.follow(seen);
        }
    }
}
