package io.holdfast.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations never turn into others (C103). */
final class DurationsTest {
    @Test
    void unitsAreRead() {
        assertThat(Durations.parse("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Durations.parse("10s")).isEqualTo(Duration.ofSeconds(10));
        assertThat(Durations.parse("2m")).isEqualTo(Duration.ofMinutes(2));
        assertThat(Durations.parse("1h")).isEqualTo(Duration.ofHours(1));
        assertThat(Durations.parse("0")).isZero();
        assertThat(Durations.parse("0s")).isZero();
        assertThat(Durations.parse("876000h")).isEqualTo(Duration.ofDays(36_500));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "-1s",
                "1.5s",
                "NaN",
                "s",
                "10 s",
                "10S",
                "1d",
                "9223372036854775807s",
                "9223372036854775808",
                "999999999999999h",
                "999999999999999m",
                "999999999999999s",
                "876001h",
                "１０s"
            })
    void everythingElseIsRefused(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void theyAreWrittenAsTheyAreRead() {
        assertThat(Durations.format(Duration.ofSeconds(90))).isEqualTo("90s");
        assertThat(Durations.format(Duration.ofMinutes(1))).isEqualTo("1m");
        assertThat(Durations.format(Duration.ofMillis(1_500))).isEqualTo("1500ms");
        assertThat(Durations.age(-5)).isEqualTo("0ms");
        assertThat(Durations.age(185_000)).isEqualTo("3m05s");
        assertThat(Durations.age(90_000_000)).isEqualTo("1d01h");
    }
}
