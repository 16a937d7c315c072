package io.holdfast.client.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.fake.ManualClock;
import org.junit.jupiter.api.Test;

/** R1.3: no suspension of the machine goes unnoticed, whenever it happens and however short it is. */
final class SleepAwareClockTest {
    private static final long MILLI = 1_000_000L;

    private final ManualClock clock = new ManualClock();
    private final SleepAwareClock aware = new SleepAwareClock(clock);
    private long start = aware.nanos();

    @Test
    void aGainOfMoreThanASecondIsAJumpUntilItIsAccepted() {
        clock.wallGains(1_001);
        assertThat(aware.hasJumped()).isTrue();
        assertThat(aware.nanos()).as("a jump is not counted as time").isEqualTo(start);
        aware.count(aware.look());
        assertThat(aware.hasJumped()).as("counting is not accepting").isTrue();
        aware.accept(aware.look());
        assertThat(aware.hasJumped()).isFalse();
        assertThat(aware.nanos()).isEqualTo(start);
    }

    @Test
    void aShorterSleepCountsAsTime() {
        clock.wallGains(300);
        assertThat(aware.hasJumped()).isFalse();
        assertThat(passedMillis()).isBetween(300L, 301L);
    }

    @Test
    void manyShortSleepsAddUp() {
        for (int i = 0; i < 20; i++) {
            clock.wallGains(900);
            assertThat(aware.hasJumped()).isFalse();
            clock.advanceMillis(100);
            aware.count(aware.look());
        }
        assertThat(passedMillis()).isBetween(20_000L, 20_020L);
    }

    @Test
    void everyThreadSeesTheSleepAtOnce() {
        clock.wallGains(500);
        aware.count(aware.look());
        assertThat(passedMillis()).isBetween(500L, 501L);
        assertThat(passedMillis()).as("it counts once").isBetween(500L, 501L);
    }

    @Test
    void aSuspensionBetweenALookAndItsCountingIsStillSeen() {
        clock.advanceMillis(11_000);
        SleepAwareClock.Look seen = aware.look();
        clock.wallGains(3_600_000);
        aware.count(seen);
        assertThat(aware.hasJumped()).isTrue();
    }

    @Test
    void aSecondSuspensionWhileTheFirstIsHandledIsStillSeen() {
        clock.wallGains(2_000);
        SleepAwareClock.Look seen = aware.look();
        assertThat(aware.isJump(seen)).isTrue();
        clock.wallGains(3_600_000);
        aware.accept(seen);
        assertThat(aware.hasJumped()).isTrue();
    }

    @Test
    void aWallClockThatIsSlewedNeverAddsUpToAJump() {
        for (int i = 0; i < 1_000; i++) {
            clock.advanceMillis(500);
            clock.wallGains(1);
            assertThat(aware.hasJumped()).isFalse();
            aware.count(aware.look());
        }
        assertThat(passedMillis()).as("forgotten, not summed").isBetween(500_000L, 500_002L);
    }

    @Test
    void aWallClockThatIsSetBackIsFollowed() {
        clock.wallGains(-3_600_000);
        assertThat(aware.hasJumped()).isFalse();
        aware.count(aware.look());
        clock.wallGains(400);
        assertThat(passedMillis()).isBetween(400L, 401L);
        clock.wallGains(1_500);
        assertThat(aware.hasJumped()).isTrue();
    }

    @Test
    void theBootClockTellsOfASleepThatASetBackWallClockHides() {
        withBootClock();
        clock.sleeps(700);
        clock.wallGains(-20_000);
        assertThat(aware.hasJumped()).isFalse();
        assertThat(passedMillis()).isBetween(700L, 720L);

        clock.sleeps(5_000);
        clock.wallGains(-20_000);
        assertThat(aware.hasJumped()).isTrue();
        assertThat(aware.hasJumped()).as("until it is accepted").isTrue();
        aware.accept(aware.look());
        assertThat(aware.hasJumped()).isFalse();
    }

    /** A virtual machine that was paused sees just this: none of its own clocks ran, and the host sets the time of day anew. */
    @Test
    void aStepOfTheWallClockIsAJumpAlsoIfTheBootClockKnowsOfNoSleep() {
        withBootClock();
        clock.wallGains(1_001);
        assertThat(aware.hasJumped()).isTrue();
    }

    @Test
    void bothClocksTellingOfOneSleepCountOnce() {
        withBootClock();
        clock.sleeps(600);
        assertThat(passedMillis()).isBetween(600L, 620L);
        aware.count(aware.look());
        assertThat(passedMillis()).isBetween(600L, 620L);
    }

    @Test
    void theResolutionOfTheBootClockIsNoSleep() {
        withBootClock();
        for (int i = 0; i < 1_000; i++) {
            clock.advanceMillis(7);
            aware.count(aware.look());
        }
        assertThat(passedMillis()).isEqualTo(7_000);
    }

    @Test
    void aBootClockThatCannotBeReadForOnceForgetsNothing() {
        withBootClock();
        clock.bootClockFails(true);
        clock.wallGains(-5_000);
        aware.count(aware.look());
        clock.sleeps(800);
        clock.wallGains(-5_000);
        assertThat(passedMillis()).isZero();
        clock.bootClockFails(false);
        aware.count(aware.look());
        assertThat(passedMillis()).isBetween(800L, 820L);
    }

    private void withBootClock() {
        clock.hasBootClock();
        aware.accept(aware.look());
        start = aware.nanos();
    }

    private long passedMillis() {
        return (aware.nanos() - start) / MILLI;
    }
}
