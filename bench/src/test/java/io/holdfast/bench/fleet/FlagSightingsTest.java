package io.holdfast.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** F7: the judge of cached reads can say no. */
final class FlagSightingsTest {
    private final FlagSightings sightings = new FlagSightings(2, 4);

    private boolean read(int client, int version, long begin, long end) {
        return sightings.read(client, version, sightings.newest(client), begin, end);
    }

    @Test
    void whoSeesTheNewestInTimeIsFineAndTheTimeUntilThenIsKnown() {
        assertThat(read(0, 0, 10, 11)).isTrue();
        assertThat(read(1, 0, 12, 13)).isTrue();
        // version 1: begun at 100, acknowledged at 150
        assertThat(read(0, 0, 149, 160)).isTrue();
        assertThat(read(0, 1, 170, 180)).isTrue();
        assertThat(sightings.seen(1)).isEqualTo(1);
        assertThat(read(1, 1, 190, 300)).isTrue();
        assertThat(sightings.seen(1)).isEqualTo(2);
        assertThat(sightings.staleNanos(1, 150)).isZero();
        assertThat(sightings.delays(1, 100).maxNanos()).isEqualTo(200);
        assertThat(sightings.delays(1, 100).count()).isEqualTo(2);
    }

    @Test
    void aReadThatBeganAfterTheAcknowledgementAndReturnsLessIsStale() {
        read(0, 0, 10, 11);
        read(1, 1, 120, 121);
        read(0, 0, 175, 176);
        assertThat(sightings.staleNanos(1, 150)).isEqualTo(25);
    }

    @Test
    void aReadThatReturnsLessThanAnEarlierOneOfItsClientWentBackInTime() {
        assertThat(read(0, 2, 10, 11)).isTrue();
        assertThat(read(0, 1, 12, 13)).isFalse();
        assertThat(read(1, 1, 14, 15)).isTrue();
    }

    @Test
    void readsOfOneClientThatOverlapMayReturnInAnyOrder() {
        long floor = sightings.newest(0);
        assertThat(sightings.read(0, 2, floor, 10, 20)).isTrue();
        assertThat(sightings.read(0, 1, floor, 11, 21)).isTrue();
    }

    @Test
    void aVersionThatWasSkippedWasSeenWithTheNextOne() {
        read(0, 0, 1, 2);
        read(0, 3, 50, 60);
        assertThat(sightings.seen(2)).isEqualTo(1);
        assertThat(sightings.delays(2, 10).maxNanos()).isEqualTo(50);
        read(0, 3, 70, 80);
        assertThat(sightings.delays(3, 10).maxNanos()).isEqualTo(50);
    }
}
