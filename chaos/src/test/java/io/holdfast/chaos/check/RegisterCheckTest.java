package io.holdfast.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.history.History;
import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.simulation.check.RegisterOp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RegisterCheckTest {
    @TempDir
    private Path directory;

    private History read(Path file) throws IOException {
        History history = new History();
        history.read("c1", file);
        return history;
    }

    @Test
    void whatIsWrittenIsReadBackAndChecked() throws IOException {
        Path file = directory.resolve("h");
        HistoryWriter writer = new HistoryWriter(file);
        long put = writer.invoked("/k", RegisterOp.Kind.PUT, -1, 42);
        writer.returned(put, 0, 0);
        long get = writer.invoked("/k", RegisterOp.Kind.GET, 0, 0);
        writer.returned(get, 0, 42);
        long refused = writer.invoked("/k", RegisterOp.Kind.PUT, 9, 43);
        writer.notDone(refused);
        writer.invoked("/k", RegisterOp.Kind.PUT, 0, 44);
        // a kill in the middle of a line
        Files.writeString(file, "R\t99", StandardOpenOption.APPEND);

        RegisterCheck.Result result = RegisterCheck.check(read(file));

        assertThat(result.findings()).isEmpty();
        assertThat(result.operations()).isEqualTo(3);
        assertThat(result.undecided()).isZero();
    }

    @Test
    void aStaleReadIsFoundAndShownWithLittleAroundIt() throws IOException {
        Path file = directory.resolve("h");
        HistoryWriter writer = new HistoryWriter(file);
        writer.returned(writer.invoked("/k", RegisterOp.Kind.PUT, -1, 1), 0, 0);
        writer.returned(writer.invoked("/k", RegisterOp.Kind.PUT, 0, 2), 1, 0);
        writer.returned(writer.invoked("/k", RegisterOp.Kind.GET, 0, 0), 0, 1);
        for (int version = 2; version < 50; version++) {
            writer.returned(writer.invoked("/k", RegisterOp.Kind.PUT, version - 1, version), version, 0);
        }

        RegisterCheck.Result result = RegisterCheck.check(read(file));

        assertThat(result.findings()).hasSize(1);
        assertThat(result.findings().get(0).what().lines().count()).isLessThan(8);
    }

    @Test
    void aLostAcknowledgedWriteIsFound() throws IOException {
        Path file = directory.resolve("h");
        HistoryWriter writer = new HistoryWriter(file);
        writer.returned(writer.invoked("/k", RegisterOp.Kind.PUT, -1, 1), 0, 0);
        History history = read(file);
        long now = System.nanoTime();
        history.add("/k", new RegisterOp(RegisterOp.Kind.GET, now, now + 1, 0, 0, RegisterOp.ABSENT));

        assertThat(RegisterCheck.check(history).findings()).hasSize(1);
    }
}
