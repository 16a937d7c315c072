package io.holdfast.fencing.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** The caller's transaction: a guard works in it, and neither begins nor ends it. */
final class Transaction {
    private Transaction() {}

    /**
     * Returns if the connection has a transaction that outlives one statement.
     *
     * @throws IllegalStateException if each statement commits by itself: what the guard locked would be free again before the
     *     caller's write
     */
    static void required(Connection connection) throws SQLException {
        if (connection == null) {
            throw new IllegalArgumentException("a guard needs the connection of the caller's transaction, not null");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection commits each statement by itself, so nothing would hold between"
                            + " the guard's check and the write: call setAutoCommit(false) first");
        }
    }
}
