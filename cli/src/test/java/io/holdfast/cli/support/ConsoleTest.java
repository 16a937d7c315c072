package io.holdfast.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A result that cannot be written is no success. */
final class ConsoleTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Console failing(String why) {
        return new Console(
                new OutputStream() {
                    @Override
                    public void write(int oneByte) throws IOException {
                        throw new IOException(why);
                    }
                },
                err);
    }

    @Test
    void everyKindOfResultSaysThatItWasNotWritten() {
        Console console = failing("No space left on device");
        assertThatThrownBy(() -> console.result("a"))
                .isInstanceOf(CliException.class)
                .hasMessage("standard output cannot be written: No space left on device")
                .satisfies(e -> assertThat(((CliException) e).exitStatus()).isEqualTo(1));
        assertThatThrownBy(() -> failing("x").result(new byte[] {1})).isInstanceOf(CliException.class);
        assertThatThrownBy(() -> failing("x").table(List.of(List.of("a", "b")))).isInstanceOf(CliException.class);
        assertThatThrownBy(console::requireWritten)
                .as("what failed once stays so")
                .isInstanceOf(CliException.class);
    }

    @Test
    void aReaderThatHasGoneEndsItAsSigpipeWould() {
        Console console = failing("Broken pipe");
        CliException ended = catchThrowableOfType(CliException.class, () -> console.result("a"));
        assertThat(ended.exitStatus()).isEqualTo(141);
        Errors.print(console, false, ended);
        Errors.print(console, true, ended);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void whatAServerAnnouncesMayBeLost() {
        failing("No space left on device").announce("ready");
    }

    @Test
    void whatIsWrittenIsWrittenAtOnce() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Console console = new Console(out, err);
        console.result("a");
        console.result(new byte[] {'b'});
        console.requireWritten();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a\nb");
    }
}
