package io.holdfast.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.fault.FaultKind;
import io.holdfast.chaos.fault.Nemesis;
import io.holdfast.chaos.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SessionCheckTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private Path directory;

    private History history(String... lines) throws IOException {
        Path file = Files.writeString(
                directory.resolve("h"), String.join("\n", lines).replace(' ', '\t') + "\n");
        History history = new History();
        history.read("c1", file);
        return history;
    }

    private static Nemesis.Done fault(long fromSeconds, long toSeconds, String hit) {
        return new Nemesis.Done(
                FaultKind.CLIENT_FREEZE, "", fromSeconds * SECOND, toSeconds * SECOND, Set.of(hit), true);
    }

    @Test
    void onlyAFaultOfThisSessionThatLastedExcusesItsEnd() throws IOException {
        History history = history("S direct " + 100 * SECOND + " EXPIRED 12000 lease-over");

        assertThat(SessionCheck.check(history, List.of())).hasSize(1);
        assertThat(SessionCheck.check(history, List.of(fault(80, 95, "c1/*")))).isEmpty();
        assertThat(SessionCheck.check(history, List.of(fault(80, 95, "c1/direct"))))
                .isEmpty();
        assertThat(SessionCheck.check(history, List.of(fault(80, 95, "c1/relayed"))))
                .hasSize(1);
        assertThat(SessionCheck.check(history, List.of(fault(80, 95, "c2/*")))).hasSize(1);
        assertThat(SessionCheck.check(history, List.of(fault(94, 95, "c1/*")))).hasSize(1);
        assertThat(SessionCheck.check(history, List.of(fault(10, 25, "c1/*")))).hasSize(1);
    }

    @Test
    void aHoldIsLostOnlyWithItsSession() throws IOException {
        assertThat(SessionCheck.check(history("L /a 5 " + 100 * SECOND + " SAFE broken"), List.of()))
                .extracting(Finding::promise)
                .containsExactly("F2");
        assertThat(SessionCheck.check(
                        history(
                                "L /a 5 " + 100 * SECOND + " JEOPARDY over",
                                "S direct " + 101 * SECOND + " EXPIRED 12000 over"),
                        List.of(fault(80, 99, "c1/*"))))
                .isEmpty();
    }
}
