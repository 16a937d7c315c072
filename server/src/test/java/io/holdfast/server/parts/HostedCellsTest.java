package io.holdfast.server.parts;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.config.ReplicaConfig.RaftTimes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostedCellsTest {
    /** A multiple of the first cell's, and at least three in the shortest election timeout if that has room for them. */
    @ParameterizedTest
    @CsvSource({"100, 1000, 300", "50, 700, 150", "10, 100, 30", "100, 500, 100", "100, 650, 200", "100, 200, 100"})
    void aShardBeatsLessOftenButOftenEnough(long heartbeat, long election, long expected) {
        RaftTimes times = new RaftTimes(heartbeat, election, 2 * election, 100);
        assertThat(HostedCells.shardHeartbeatMillis(times)).isEqualTo(expected);
    }
}
