package io.holdfast.fencing.jdbc;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.FencingGuard;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.StaleTokenException;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Rows that carry their own fence, in a column {@code bigint NOT NULL DEFAULT 0}: the cheapest form, one statement for check
 * and write.
 *
 * <pre>
 * int changed = … "UPDATE account SET balance = ?, fence = ? WHERE id = ? AND fence &lt;= ?" …   (the token, twice)
 * rows.accepted(connection, id, grant, changed);
 * connection.commit();
 * </pre>
 *
 * <p><b>What it protects:</b> the row, against updates that carry this clause and set the column. It knows exclusive grants
 * only, and says nothing of rows that do not exist: for inserts, deletes, shared grants or a lock over rows that are not all
 * raised, use {@link GuardTable}. A new holder {@linkplain #raise raises} every row that its lock protects before it reads
 * any.
 *
 * <p><b>How it holds.</b> An update of a row that another transaction has changed waits for that one's end; at READ COMMITTED
 * the database then evaluates the clause anew, on the row's newest version; at REPEATABLE READ and SERIALIZABLE it fails
 * (SQLSTATE 40001). All levels are safe. Failures are the caller's as for {@link GuardTable}; this class never commits or
 * rolls back.
 *
 * <p><b>Thread:</b> any may use the object; a connection belongs to one thread at a time.
 *
 * <p><b>Source:</b> R4.7.
 */
public final class FencedRows {
    private final String table;
    private final String key;
    private final String raise;
    private final String select;
    private final LongAdder rejections = new LongAdder();

    /**
     * The rows of one table.
     *
     * @param table the protected table, with or without a schema and a point before it
     * @param key the column that names a row, unique
     * @param fence the column that holds the highest token accepted
     * @throws IllegalArgumentException if a name is more than letters, digits and underscores
     */
    public FencedRows(String table, String key, String fence) {
        this.table = SqlName.table(table);
        this.key = SqlName.column(key);
        SqlName.column(fence);
        this.raise = "UPDATE " + table + " SET " + fence + " = ? WHERE " + key + " = ? AND " + fence + " <= ?";
        this.select = "SELECT " + fence + " FROM " + table + " WHERE " + key + " = ?";
    }

    /**
     * Says what an update with the clause {@code fence <= token} came to.
     *
     * @param rowKey the value of the key column
     * @param changed the update's count of rows
     * @return true if it changed the row; false if the fence admits the grant, so that another condition of the caller's kept
     *     the row as it is
     * @throws StaleTokenException if the row's fence is higher: roll back
     * @throws NoSuchElementException if there is no such row
     * @throws IllegalArgumentException if the grant is shared
     * @throws IllegalStateException if the connection is in auto-commit mode
     */
    public boolean accepted(Connection connection, Object rowKey, Grant grant, int changed) throws SQLException {
        Transaction.required(connection);
        exclusive(rowKey, grant);
        if (changed > 0) {
            return true;
        }
        OptionalLong found = read(connection, rowKey);
        if (found.isEmpty()) {
            throw new NoSuchElementException("table " + table + " has no row with " + key + " = " + rowKey
                    + ": nothing was written, and nothing can be guarded there");
        }
        FencingToken fence = new FencingToken(found.getAsLong());
        if (fence.compareTo(grant.token()) > 0) {
            rejections.increment();
            throw new StaleTokenException(grant, fence);
        }
        return false;
    }

    /**
     * Accepts the grant for one row in this transaction, or refuses it; the row stays locked until the transaction ends. Also a
     * new holder's first act, once for each row that its lock protects.
     *
     * @throws StaleTokenException if the row's fence is higher: roll back
     * @throws NoSuchElementException if there is no such row
     * @throws IllegalArgumentException if the grant is shared
     * @throws IllegalStateException if the connection is in auto-commit mode
     * @throws SQLException the database's own: roll back; see {@link GuardTable} for what may be tried again
     */
    public void raise(Connection connection, Object rowKey, Grant grant) throws SQLException {
        Transaction.required(connection);
        exclusive(rowKey, grant);
        int changed;
        try (PreparedStatement update = connection.prepareStatement(raise)) {
            update.setLong(1, grant.token().value());
            update.setObject(2, rowKey);
            update.setLong(3, grant.token().value());
            changed = update.executeUpdate();
        }
        if (!accepted(connection, rowKey, grant, changed)) {
            throw new SQLException(
                    "the row " + key + " = " + rowKey + " of " + table
                            + " appeared, or lost a fence, while it was looked at: roll back and try again",
                    "40001");
        }
    }

    /** The highest token that a row has accepted, as this transaction sees it; {@link Fence#NONE} if there is no row. */
    public Fence fence(Connection connection, Object rowKey) throws SQLException {
        FencingToken token = new FencingToken(read(connection, rowKey).orElse(0));
        return new Fence(token, token);
    }

    /** One row in one transaction of the caller's, for code that knows guards and not databases. */
    public FencingGuard in(Connection connection, Object rowKey) {
        return new BoundGuard(
                grant -> raise(connection, rowKey, grant), lock -> fence(connection, rowKey), this::rejections);
    }

    /** How many grants this object has refused since it was made. */
    public long rejections() {
        return rejections.sum();
    }

    private OptionalLong read(Connection connection, Object rowKey) throws SQLException {
        try (PreparedStatement read = connection.prepareStatement(select)) {
            read.setObject(1, rowKey);
            try (ResultSet row = read.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    private static void exclusive(Object rowKey, Grant grant) {
        Objects.requireNonNull(rowKey, "a row's key must not be null");
        Objects.requireNonNull(grant, "a guard needs a grant, not null");
        if (grant.mode() != LockMode.EXCLUSIVE) {
            throw new IllegalArgumentException("a row's fence knows exclusive grants only, that of lock '"
                    + grant.lock() + "' is shared: use a guard table");
        }
    }
}
