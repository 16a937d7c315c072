package io.holdfast.fencing.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** Tells from the database itself that a connection waits for another's lock. */
final class Blocked {
    private Blocked() {}

    /** Returns when the connection's statement waits for a lock; the test's own timeout bounds it. */
    static void await(PostgresServer.Schema schema, Connection waiting) throws SQLException {
        int process = waiting.unwrap(PGConnection.class).getBackendPID();
        try (Connection observer = schema.open();
                PreparedStatement ask = observer.prepareStatement("SELECT cardinality(pg_blocking_pids(?))")) {
            observer.setAutoCommit(true);
            while (!isBlocked(ask, process)) {
                Thread.onSpinWait();
            }
        }
    }

    private static boolean isBlocked(PreparedStatement ask, int process) throws SQLException {
        ask.setInt(1, process);
        try (ResultSet answer = ask.executeQuery()) {
            return answer.next() && answer.getInt(1) > 0;
        }
    }
}
