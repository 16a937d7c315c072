package io.holdfast.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.support.CliException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DevCommandTest {
    private static final Path DEFAULT = Path.of(".holdfast", "dev");

    @Test
    void theOptionGoesOverTheVariable() {
        assertThat(DevCommand.directory(null, Map.of())).isEqualTo(DEFAULT);
        assertThat(DevCommand.directory(null, Map.of("HOLDFAST_DATA", "/d"))).isEqualTo(Path.of("/d"));
        assertThat(DevCommand.directory("/e", Map.of("HOLDFAST_DATA", "/d"))).isEqualTo(Path.of("/e"));
    }

    /** An empty path would be the working directory. */
    @Test
    void anEmptyVariableIsNoneAndAnEmptyOptionAMistake() {
        assertThat(DevCommand.directory(null, Map.of("HOLDFAST_DATA", ""))).isEqualTo(DEFAULT);
        assertThatThrownBy(() -> DevCommand.directory("", Map.of()))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("--data must not be empty");
    }
}
