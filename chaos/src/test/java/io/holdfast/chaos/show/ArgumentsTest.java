package io.holdfast.chaos.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ArgumentsTest {
    private static Arguments of(String... args) {
        return new Arguments(args, Set.of("--keep"));
    }

    @Test
    void wordsOptionsAndFlagsComeInAnyOrder() {
        Arguments given = of("--replicas", "3", "7", "--keep", "--freeze", "500ms");
        assertThat(given.word("ROUNDS", 1, 1, 10)).isEqualTo(7);
        assertThat(given.number("--replicas", 5, 1, 7)).isEqualTo(3);
        assertThat(given.flag("--keep")).isTrue();
        assertThat(given.duration("--freeze", Duration.ofSeconds(20), Duration.ZERO, Duration.ofMinutes(1)))
                .isEqualTo(Duration.ofMillis(500));
        given.requireNoMore();
    }

    @Test
    void whatIsNotGivenHasADefault() {
        Arguments given = of();
        assertThat(given.word("ROUNDS", 5, 1, 10)).isEqualTo(5);
        assertThat(given.list("--plant")).isEmpty();
        assertThat(given.flag("--keep")).isFalse();
    }

    @Test
    void eachProblemIsNamed() {
        assertThatThrownBy(() -> of("--replicas")).hasMessage("--replicas needs a value");
        assertThatThrownBy(() -> of("x").word("ROUNDS", 1, 1, 10)).hasMessageContaining("ROUNDS must be a number");
        assertThatThrownBy(() -> of("11").word("ROUNDS", 1, 1, 10)).hasMessageContaining("1 to 10");
        assertThatThrownBy(() -> of("--bad", "1").requireNoMore()).hasMessage("unknown option --bad");
        assertThatThrownBy(() -> of("1").requireNoMore()).hasMessageContaining("one argument too many");
        assertThatThrownBy(() ->
                        of("--freeze", "20").duration("--freeze", Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1)))
                .hasMessageContaining("like 500ms");
    }
}
