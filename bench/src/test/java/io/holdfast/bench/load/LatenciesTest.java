package io.holdfast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class LatenciesTest {
    @Test
    void thoseOfSeveralProcessesAddUp() {
        Latencies one = new Latencies();
        Latencies other = new Latencies();
        for (int i = 1; i <= 50; i++) {
            one.record(i * 1_000_000L);
            other.record((50 + i) * 1_000_000L);
        }
        Latencies all = new Latencies();
        String word = one.encoded();
        assertThat(word).doesNotContainAnyWhitespaces();
        all.add(word);
        all.add(other.encoded());
        assertThat(all.count()).isEqualTo(100);
        assertThat((double) all.nanosAt(50)).isCloseTo(50e6, within(0.1e6));
        assertThat((double) all.nanosAt(99)).isCloseTo(99e6, within(0.1e6));
        assertThat((double) all.maxNanos()).isCloseTo(100e6, within(0.1e6));
    }

    @Test
    void noneIsZero() {
        Latencies none = new Latencies();
        none.add(new Latencies().encoded());
        assertThat(none.count()).isZero();
        assertThat(none.nanosAt(99)).isZero();
    }

    @Test
    void whatIsNoHistogramIsRefused() {
        assertThatThrownBy(() -> new Latencies().add("AAAA")).isInstanceOf(RuntimeException.class);
    }
}
