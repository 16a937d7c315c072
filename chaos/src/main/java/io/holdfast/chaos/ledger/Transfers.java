package io.holdfast.chaos.ledger;

import io.holdfast.fencing.Grant;
import io.holdfast.fencing.jdbc.GuardTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Moves money as an application would that trusts its lock: reads both balances, thinks, and writes both.
 *
 * <p><b>Thread:</b> one.
 */
final class Transfers implements AutoCloseable {
    private final Connection connection;
    private final boolean guarded;
    private final String worker;
    private final GuardTable guard = new GuardTable();

    /** @param guarded whether each transaction checks its token first */
    Transfers(String url, boolean guarded, String worker) throws SQLException {
        this.connection = DriverManager.getConnection(url);
        this.guarded = guarded;
        this.worker = worker;
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            // A process that is stopped in a transaction must not stop the others for as long as it is.
            statement.execute("SET idle_in_transaction_session_timeout = '5s'");
        }
        connection.commit();
    }

    /** Both balances of a transfer as they were read. */
    record Balances(long source, long target) {}

    /** A new holder's first act (R4.7), before it reads. */
    void raise(Grant grant) throws SQLException {
        if (guarded) {
            guard.raise(connection, grant);
            connection.commit();
        }
    }

    Balances read(String book, int source, int target) throws SQLException {
        Balances balances = new Balances(balance(book, source), balance(book, target));
        connection.commit();
        return balances;
    }

    private long balance(String book, int account) throws SQLException {
        try (PreparedStatement read =
                connection.prepareStatement("SELECT balance FROM account WHERE book = ? AND number = ?")) {
            read.setString(1, book);
            read.setInt(2, account);
            try (ResultSet row = read.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /**
     * Writes what comes of the balances that were read, and the log.
     *
     * @throws io.holdfast.fencing.StaleTokenException if a newer grant has written
     */
    void write(Grant grant, int source, int target, long amount, Balances before) throws SQLException {
        if (guarded) {
            guard.check(connection, grant);
        }
        String book = grant.lock().value();
        set(book, source, before.source() - amount);
        set(book, target, before.target() + amount);
        try (PreparedStatement log = connection.prepareStatement(
                "INSERT INTO transfer (book, token, source, target, amount, worker) VALUES (?, ?, ?, ?, ?, ?)")) {
            log.setString(1, book);
            log.setLong(2, grant.token().value());
            log.setInt(3, source);
            log.setInt(4, target);
            log.setLong(5, amount);
            log.setString(6, worker);
            log.executeUpdate();
        }
        connection.commit();
    }

    private void set(String book, int account, long balance) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE account SET balance = ? WHERE book = ? AND number = ?")) {
            update.setLong(1, balance);
            update.setString(2, book);
            update.setInt(3, account);
            update.executeUpdate();
        }
    }

    void rollBack() throws SQLException {
        connection.rollback();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
