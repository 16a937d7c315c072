package io.holdfast.chaos.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class VerdictTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Verdict verdict = new Verdict(new PrintStream(said, true, StandardCharsets.UTF_8));

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void withoutAFindingItIsGreen() {
        assertThat(verdict.conclude("all was well")).isEqualTo(Verdict.GREEN);
        assertThat(said()).contains("GREEN: all was well");
    }

    @Test
    void aFindingIsSaidAtOnceAndItsRepetitionsAreCounted() {
        verdict.finding("N1", "two held %s", "/l");
        verdict.finding("N1", "two held %s", "/l");
        assertThat(said()).containsOnlyOnce("RED  N1: two held /l");
        assertThat(verdict.conclude("all was well")).isEqualTo(Verdict.RED);
        assertThat(said()).contains("N1: two held /l (2 times)").doesNotContain("GREEN");
    }

    @Test
    void whatWasNotShownGivesNoVerdict() {
        verdict.notShown("nobody was stopped");
        assertThat(verdict.conclude("all was well")).isEqualTo(Verdict.NO_VERDICT);
        assertThat(said()).contains("NOT SHOWN  nobody was stopped").doesNotContain("GREEN");
    }

    @Test
    void aBrokenPromiseStaysBrokenWhateverElseHappens() {
        verdict.finding("N1", "two held %s", "/l");
        verdict.notShown("nobody was stopped");
        assertThat(verdict.failed(new IllegalStateException("and then it broke")))
                .isEqualTo(Verdict.RED);
        assertThat(verdict.conclude("all was well")).isEqualTo(Verdict.RED);
    }

    @Test
    void aHarnessThatFailsHasNoVerdict() {
        assertThat(verdict.failed(new IllegalStateException("it broke"))).isEqualTo(Verdict.NO_VERDICT);
    }
}
