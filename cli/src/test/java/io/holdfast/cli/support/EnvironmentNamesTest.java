package io.holdfast.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EnvironmentNamesTest {
    private static final String WRONG = "Invalid value for option '--call-timeout': 'soon' is not a duration";

    @Test
    void whatCameFromTheEnvironmentIsCalledAsItIsThere() {
        assertThat(EnvironmentNames.inMessage(WRONG, List.of("get", "/a"), Map.of("HOLDFAST_CALL_TIMEOUT", "soon")))
                .isEqualTo("Invalid value for HOLDFAST_CALL_TIMEOUT: 'soon' is not a duration");
        assertThat(EnvironmentNames.inMessage(
                        "--endpoints: 'x' has no port", List.of("get", "/a"), Map.of("HOLDFAST_ENDPOINTS", "x")))
                .isEqualTo("HOLDFAST_ENDPOINTS: 'x' has no port");
    }

    @Test
    void anOptionThatWasGivenIsCalledAnOption() {
        Map<String, String> both = Map.of("HOLDFAST_CALL_TIMEOUT", "5s");
        assertThat(EnvironmentNames.inMessage(WRONG, List.of("--call-timeout", "soon"), both))
                .isEqualTo(WRONG);
        assertThat(EnvironmentNames.inMessage(WRONG, List.of("--call-timeout=soon"), both))
                .isEqualTo(WRONG);
        assertThat(EnvironmentNames.inMessage(WRONG, List.of("get"), Map.of())).isEqualTo(WRONG);
    }
}
