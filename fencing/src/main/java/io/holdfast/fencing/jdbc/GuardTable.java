package io.holdfast.fencing.jdbc;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.FencingGuard;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.LockName;
import io.holdfast.fencing.StaleTokenException;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * A guard table in PostgreSQL: one row per lock, checked in the transaction that writes the protected data.
 *
 * <pre>
 * connection.setAutoCommit(false);
 * guards.check(connection, Grant.exclusive("/accounts", token));
 * … the application's own statements …
 * connection.commit();
 * </pre>
 *
 * <p><b>How it holds.</b> A check always <em>writes</em> the lock's row, also when the token is the same as before. So the row
 * stays locked until the transaction ends, and transactions under one lock run one after the other: an older token waits for
 * a newer one that is not yet committed, and is then compared with what was committed. At READ COMMITTED the database
 * compares with the row's newest version; at REPEATABLE READ and SERIALIZABLE it ends the later one with a serialization
 * failure (SQLSTATE 40001), as the row was written since its snapshot. All levels are safe.
 *
 * <p><b>What the caller does.</b> Check before the first statement that reads or writes protected data. On
 * {@link StaleTokenException} roll back, and stop. On an {@link SQLException} roll back; deadlock (40P01), serialization
 * failure (40001) and lock timeout (55P03) may be tried again from the start of the transaction, with the same token if
 * the hold is still held. With several locks, check them in one order everywhere, or transactions deadlock. Do not roll back
 * to a savepoint from before the check and then write: the check is undone with it. What was accepted in a transaction that
 * is rolled back is forgotten. This class never commits or rolls back.
 *
 * <p><b>Thread:</b> any may use the object; a connection belongs to one thread at a time.
 *
 * <p><b>Source:</b> R4.7.
 */
public final class GuardTable {
    /** The name of the table unless told otherwise. */
    public static final String DEFAULT_NAME = "holdfast_guard";

    private final String table;
    private final String acceptExclusive;
    private final String acceptShared;
    private final String select;
    private final LongAdder rejections = new LongAdder();

    /** The table {@link #DEFAULT_NAME}. */
    public GuardTable() {
        this(DEFAULT_NAME);
    }

    /**
     * A table of another name.
     *
     * @param table letters, digits and underscores, with or without a schema and a point before it
     * @throws IllegalArgumentException if it is anything else
     */
    public GuardTable(String table) {
        this.table = SqlName.table(table);
        String insert =
                "INSERT INTO " + table + " AS guard (lock_name, exclusive_token, highest_token) VALUES (?, ?, ?)"
                        + " ON CONFLICT (lock_name) DO UPDATE SET ";
        this.acceptExclusive = insert
                + "exclusive_token = EXCLUDED.exclusive_token, highest_token = EXCLUDED.highest_token"
                + " WHERE guard.highest_token <= EXCLUDED.highest_token";
        this.acceptShared = insert + "highest_token = GREATEST(guard.highest_token, EXCLUDED.highest_token)"
                + " WHERE guard.exclusive_token <= EXCLUDED.highest_token";
        this.select = "SELECT exclusive_token, highest_token FROM " + table + " WHERE lock_name = ?";
    }

    /** The statement that makes the table, once per database; does nothing if it exists. Never delete rows from it. */
    public String ddl() {
        return "CREATE TABLE IF NOT EXISTS " + table + " (\n"
                + "  lock_name varchar(1024) PRIMARY KEY,\n"
                + "  exclusive_token bigint NOT NULL CHECK (exclusive_token >= 0),\n"
                + "  highest_token bigint NOT NULL CHECK (highest_token > 0 AND highest_token >= exclusive_token)\n"
                + ")";
    }

    /**
     * Accepts the grant in this transaction, or refuses it. Blocks while another transaction under the same lock is open. Of
     * two shared holders too, the later waits: both write the lock's row.
     *
     * @throws StaleTokenException if a newer grant was committed, or accepted earlier in this transaction: roll back
     * @throws IllegalStateException if the connection is in auto-commit mode
     * @throws SQLException the database's own: nothing is accepted, roll back; see the class for what may be tried again
     */
    public void check(Connection connection, Grant grant) throws SQLException {
        Transaction.required(connection);
        Objects.requireNonNull(grant, "a guard needs a grant, not null");
        long token = grant.token().value();
        boolean exclusive = grant.mode() == LockMode.EXCLUSIVE;
        int written;
        try (PreparedStatement accept = connection.prepareStatement(exclusive ? acceptExclusive : acceptShared)) {
            accept.setString(1, grant.lock().value());
            accept.setLong(2, exclusive ? token : 0);
            accept.setLong(3, token);
            written = accept.executeUpdate();
        }
        if (written == 0) {
            rejections.increment();
            throw new StaleTokenException(grant, fence(connection, grant.lock()).lowest(grant.mode()));
        }
    }

    /**
     * A new holder's first act, before it reads protected data (R4.7): as {@link #check}. Commit before reading, or read in the
     * same transaction at READ COMMITTED; both see all that its predecessors committed, and nothing comes after.
     */
    public void raise(Connection connection, Grant grant) throws SQLException {
        check(connection, grant);
    }

    /** What the database remembers of a lock, as this transaction sees it; {@link Fence#NONE} if nothing. */
    public Fence fence(Connection connection, LockName lock) throws SQLException {
        try (PreparedStatement read = connection.prepareStatement(select)) {
            read.setString(1, lock.value());
            try (ResultSet row = read.executeQuery()) {
                return row.next()
                        ? new Fence(new FencingToken(row.getLong(1)), new FencingToken(row.getLong(2)))
                        : Fence.NONE;
            }
        }
    }

    /** This table in one transaction of the caller's, for code that knows guards and not databases. */
    public FencingGuard in(Connection connection) {
        return new BoundGuard(grant -> check(connection, grant), lock -> fence(connection, lock), this::rejections);
    }

    /** How many grants this object has refused since it was made. */
    public long rejections() {
        return rejections.sum();
    }
}
