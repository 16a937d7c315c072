package io.holdfast.fencing.jdbc;

import io.holdfast.fencing.Grant;
import io.holdfast.fencing.Ledger;
import io.holdfast.fencing.LedgerScenario;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A late write of an old holder to PostgreSQL, with either guard and without one. */
@ExtendWith(PostgresServer.Extension.class)
class GuardedLedgerIT {
    private static final String ACCOUNT = LedgerScenario.LOCK;

    private PostgresServer.Schema schema;

    @BeforeEach
    void makeTables(PostgresServer server) throws SQLException {
        schema = server.newSchema();
        SqlForm.prepare(schema, ACCOUNT);
    }

    @Test
    void byTheGuardTableTheLateWriteIsRefused() throws Exception {
        GuardTable guard = new GuardTable();
        LedgerScenario.guarded(new SqlLedger(schema, guard::raise, (connection, grant, balance) -> {
            guard.check(connection, grant);
            plainUpdate(connection, balance);
        }));
    }

    @Test
    void byTheRowItselfTheLateWriteIsRefused() throws Exception {
        FencedRows rows = new FencedRows("account", "name", "fence");
        LedgerScenario.guarded(new SqlLedger(
                schema,
                (connection, grant) -> rows.raise(connection, ACCOUNT, grant),
                (connection, grant, balance) ->
                        rows.accepted(connection, ACCOUNT, grant, fencedUpdate(connection, grant, balance))));
    }

    @Test
    void withoutAGuardMoneyIsLost() throws Exception {
        LedgerScenario.unguarded(new SqlLedger(
                schema, (connection, grant) -> {}, (connection, grant, balance) -> plainUpdate(connection, balance)));
    }

    private static void plainUpdate(Connection connection, long balance) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE account SET balance = ? WHERE name = ?")) {
            update.setLong(1, balance);
            update.setString(2, ACCOUNT);
            update.executeUpdate();
        }
    }

    private static int fencedUpdate(Connection connection, Grant grant, long balance) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE account SET balance = ?, fence = ? WHERE name = ? AND fence <= ?")) {
            update.setLong(1, balance);
            update.setLong(2, grant.token().value());
            update.setString(3, ACCOUNT);
            update.setLong(4, grant.token().value());
            return update.executeUpdate();
        }
    }

    /** How a ledger raises its guard. */
    @FunctionalInterface
    private interface Raise {
        void in(Connection connection, Grant grant) throws SQLException;
    }

    /** How a ledger writes. */
    @FunctionalInterface
    private interface Write {
        void in(Connection connection, Grant grant, long balance) throws SQLException;
    }

    /** Each step a transaction of its own; a connection that is closed before it commits rolls back. */
    private record SqlLedger(PostgresServer.Schema schema, Raise raise, Write write) implements Ledger {
        @Override
        public void raise(Grant grant) throws SQLException {
            try (Connection connection = schema.open()) {
                raise.in(connection, grant);
                connection.commit();
            }
        }

        @Override
        public long balance() throws SQLException {
            try (Connection connection = schema.open();
                    PreparedStatement read =
                            connection.prepareStatement("SELECT balance FROM account WHERE name = ?")) {
                read.setString(1, ACCOUNT);
                try (ResultSet row = read.executeQuery()) {
                    row.next();
                    return row.getLong(1);
                }
            }
        }

        @Override
        public void write(Grant grant, long balance) throws SQLException {
            try (Connection connection = schema.open()) {
                write.in(connection, grant, balance);
                connection.commit();
            }
        }
    }
}
