package io.holdfast.fencing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No text that is given as a name can become SQL. */
class SqlNameTest {
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "1a", "a b", "a;b", "a--", "\"a\"", "a.b.c", ".a", "a.", "é", "a\n"})
    void anythingElseThanAPlainNameIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GuardTable(name))
                .withMessageContaining("letters, digits and underscores");
        assertThatIllegalArgumentException().isThrownBy(() -> new FencedRows(name, "id", "fence"));
        assertThatIllegalArgumentException().isThrownBy(() -> new FencedRows("account", name, "fence"));
        assertThatIllegalArgumentException().isThrownBy(() -> new FencedRows("account", "id", name));
    }

    @Test
    void aTableMayHaveASchemaAndAColumnMayNot() {
        assertThat(new GuardTable("Ops_1.guard").ddl()).startsWith("CREATE TABLE IF NOT EXISTS Ops_1.guard (");
        assertThatIllegalArgumentException().isThrownBy(() -> new FencedRows("account", "a.id", "fence"));
    }

    @Test
    void sixtyThreeCharactersAreEnough() {
        assertThat(SqlName.column("a".repeat(63))).hasSize(63);
        assertThatIllegalArgumentException().isThrownBy(() -> SqlName.column("a".repeat(64)));
    }
}
