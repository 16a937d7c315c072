package io.holdfast.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class MetricsTest {
    private static final Metrics METRICS = Metrics.parse("""
            # HELP holdfast_events_total Events
            # TYPE holdfast_events_total counter
            holdfast_events_total{cell="main",kind="grant",replica="r1"} 3.0
            holdfast_events_total{cell="main",kind="watch",replica="r1"} 4.0E1
            holdfast_events_total{cell="main",kind="grant",replica="r2"} 2.0
            holdfast_state_bytes{cell="main",replica="r1"} 100.0
            holdfast_state_bytes{cell="main",replica="r2"} 90.0
            holdfast_state_bytes{cell="shard-00",replica="r2"} 7.0
            holdfast_odd{text="a \\"b\\", c} d"} +Inf
            up 1
            broken{ 3
            broken one
            """);

    @Test
    void seriesAreAddedUpByNameAndLabels() {
        assertThat(METRICS.sum("holdfast_events_total")).isEqualTo(45);
        assertThat(METRICS.sum("holdfast_events_total", Map.of("kind", "grant")))
                .isEqualTo(5);
        assertThat(METRICS.sum("holdfast_events_total", Map.of("kind", "grant", "replica", "r2")))
                .isEqualTo(2);
        assertThat(METRICS.sum("up")).isEqualTo(1);
        assertThat(METRICS.sum("none")).isZero();
    }

    @Test
    void whatIsTheSameOnAllReplicasCountsOnceForEachCell() {
        assertThat(METRICS.sumOfMaxima("holdfast_state_bytes", "cell")).isEqualTo(107);
    }

    @Test
    void aNameIsThereOrNot() {
        assertThat(METRICS.has("up")).isTrue();
        assertThat(METRICS.has("holdfast_odd")).isTrue();
        assertThat(METRICS.has("holdfast_events")).isFalse();
        assertThat(METRICS.has("broken")).isFalse();
    }
}
