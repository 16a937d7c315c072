package io.holdfast.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** One line of JSON that any parser reads. */
final class JsonTest {
    @Test
    void valuesOfEveryKind() {
        assertThat(Json.write(Json.object("a", 1L, "b", null, "c", List.of(true, "x"), "d", Json.object())))
                .isEqualTo("{\"a\":1,\"b\":null,\"c\":[true,\"x\"],\"d\":{}}");
        assertThat(Json.write(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
    }

    @Test
    void stringsAreEscaped() {
        assertThat(Json.write("\"\\\n\r\t\u0001\u007f")).isEqualTo("\"\\\"\\\\\\n\\r\\t\\u0001\\u007f\"");
        assertThat(Json.write("zürich 🔒")).isEqualTo("\"zürich 🔒\"");
        assertThat(Json.write("lone \ud83d half")).isEqualTo("\"lone \\ud83d half\"");
    }
}
