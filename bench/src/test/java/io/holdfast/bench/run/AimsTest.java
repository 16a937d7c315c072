package io.holdfast.bench.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AimsTest {
    @Test
    void allMetIsNoError() {
        Aims aims = new Aims();
        aims.check(true, "3 pairs/s (aim: 2)");
        assertThatCode(aims::conclude).doesNotThrowAnyException();
    }

    @Test
    void thoseThatAreMissedAreListed() {
        Aims aims = new Aims();
        aims.check(false, "p99 60 ms (aim: 50)");
        aims.check(true, "3 pairs/s (aim: 2)");
        aims.check(false, "1 error (aim: 0)");
        assertThatThrownBy(aims::conclude)
                .isInstanceOf(AimsMissedException.class)
                .hasMessage("2 aims were missed: p99 60 ms (aim: 50); 1 error (aim: 0)");
    }

    @Test
    void wordsThatMakeNoSenseAreRefusedWithTheRange() {
        assertThatThrownBy(() -> Options.parse(List.of("--sesions", "3")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--sesions");
        Options options =
                Options.parse(List.of("--sessions", "0", "--proxies", "1", "--kill-proxy", "--zipf", "steep"));
        assertThatThrownBy(() -> options.integer("sessions", 10, 10, 1, 100))
                .hasMessage("--sessions must be 1 to 100, not 0");
        assertThatThrownBy(() -> options.decimal("zipf", 1)).hasMessage("--zipf needs a number, not steep");
        assertThatThrownBy(() -> FleetPlan.of(Options.parse(List.of("--proxies", "1", "--kill-proxy")), 5))
                .hasMessageContaining("--kill-proxy needs --proxies 2 or more");
    }
}
