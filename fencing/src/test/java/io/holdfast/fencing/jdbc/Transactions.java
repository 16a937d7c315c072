package io.holdfast.fencing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentHashMap;

/** An application's way with its transactions: one connection for each thread, commit what succeeds, roll back what throws. */
final class Transactions implements AutoCloseable {
    private final PostgresServer.Schema schema;
    private final ConcurrentHashMap<Thread, Connection> connections = new ConcurrentHashMap<>();

    Transactions(PostgresServer.Schema schema) {
        this.schema = schema;
    }

    /** The work of a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T in(Connection connection) throws Exception;
    }

    <T> T run(Work<T> work) throws Exception {
        Connection mine = connections.get(Thread.currentThread());
        if (mine == null) {
            mine = schema.open();
            assertThat(mine.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
            connections.put(Thread.currentThread(), mine);
        }
        try {
            T result = work.in(mine);
            mine.commit();
            return result;
        } finally {
            mine.rollback(); // of what was not committed
        }
    }

    @Override
    public void close() throws SQLException {
        for (Connection each : connections.values()) {
            each.close();
        }
    }
}
