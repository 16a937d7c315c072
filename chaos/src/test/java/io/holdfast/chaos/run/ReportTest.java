package io.holdfast.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.check.Finding;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the exit status of {@code chaos/run} says. */
final class ReportTest {
    private static final Options OPTIONS = Options.parse(new String[] {"1", "--seed", "5"});

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private Report report() {
        return new Report(new PrintStream(said, true, StandardCharsets.UTF_8), directory.resolve("report.txt"));
    }

    @Test
    void greenIsWhoShowedAllAndBrokeNothing() {
        assertThat(report().verdict(OPTIONS, List.of()).exitStatus()).isEqualTo(0);
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("GREEN");
    }

    @Test
    void whoShowedTooLittleGetsNoVerdict() {
        assertThat(report().verdict(OPTIONS, List.of("no fault had an effect")).exitStatus())
                .isEqualTo(3);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("NOT SHOWN: no fault had an effect")
                .doesNotContain("GREEN");
    }

    @Test
    void aBrokenPromiseIsRedWhateverElseIsMissingOrFails() {
        Report report = report();
        report.finding(new Finding("N1", "two holders"));

        assertThat(report.verdict(OPTIONS, List.of("no fault had an effect")).exitStatus())
                .isEqualTo(1);
        assertThat(report.failed(new IllegalStateException("broke")).exitStatus())
                .isEqualTo(1);
    }

    @Test
    void aHarnessThatFailsBeforeAnythingWasFoundGivesNoVerdict() {
        assertThat(report().failed(new IllegalStateException("broke")).exitStatus())
                .isEqualTo(3);
    }
}
