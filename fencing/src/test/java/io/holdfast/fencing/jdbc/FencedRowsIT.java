package io.holdfast.fencing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.StaleTokenException;
import io.holdfast.model.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a count of changed rows means, and what this form refuses to guard. */
@ExtendWith(PostgresServer.Extension.class)
class FencedRowsIT {
    private final FencedRows rows = new FencedRows("item", "id", "fence");
    private Connection connection;

    @BeforeEach
    void makeRows(PostgresServer server) throws SQLException {
        PostgresServer.Schema schema = server.newSchema();
        schema.execute(
                "CREATE TABLE item (id bigint PRIMARY KEY)",
                "INSERT INTO item VALUES (1), (2)",
                "ALTER TABLE item ADD COLUMN fence bigint NOT NULL DEFAULT 0");
        connection = schema.open();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void aChangedRowWasAccepted() throws SQLException {
        assertThat(rows.accepted(connection, 1L, Grant.exclusive("/items", 7), 1))
                .isTrue();
    }

    @Test
    void anUnchangedRowWithAHigherFenceIsARefusal() throws SQLException {
        rows.raise(connection, 1L, Grant.exclusive("/items", 8));
        assertThatThrownBy(() -> rows.accepted(connection, 1L, Grant.exclusive("/items", 7), 0))
                .isInstanceOfSatisfying(
                        StaleTokenException.class,
                        stale -> assertThat(stale.accepted()).isEqualTo(new FencingToken(8)));
        assertThat(rows.rejections()).isOne();
    }

    @Test
    void anUnchangedRowWithALowerFenceIsTheCallersOwnCondition() throws SQLException {
        assertThat(rows.accepted(connection, 1L, Grant.exclusive("/items", 7), 0))
                .isFalse();
        assertThat(rows.rejections()).isZero();
    }

    @Test
    void aRowThatIsNotThereCannotBeGuarded() throws SQLException {
        assertThatThrownBy(() -> rows.raise(connection, 3L, Grant.exclusive("/items", 7)))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("table item has no row with id = 3");
        assertThat(rows.fence(connection, 3L)).isEqualTo(Fence.NONE);
    }

    @Test
    void aRowKnowsNothingOfItsNeighbour() throws SQLException {
        rows.raise(connection, 1L, Grant.exclusive("/items", 8));
        rows.raise(connection, 2L, Grant.exclusive("/items", 7)); // why a new holder raises every row
        assertThat(rows.fence(connection, 2L).highest()).isEqualTo(new FencingToken(7));
    }

    @Test
    void sharedGrantsAreNotKnown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rows.raise(connection, 1L, Grant.shared("/items", 7)))
                .withMessageContaining("guard table");
    }
}
