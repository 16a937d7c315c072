package io.holdfast.fencing.jdbc;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.FencingGuard;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.GuardFailedException;
import io.holdfast.fencing.GuardedWrite;
import io.holdfast.fencing.LockName;
import java.sql.SQLException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A guard in one transaction of the caller's, as a {@link FencingGuard}: a database's exception becomes the cause of a
 * {@link GuardFailedException}.
 *
 * <p><b>Thread:</b> the one that has the connection.
 */
final class BoundGuard implements FencingGuard {
    private final Checks checks;
    private final Reads reads;
    private final LongSupplier rejections;

    BoundGuard(Checks checks, Reads reads, LongSupplier rejections) {
        this.checks = checks;
        this.reads = reads;
        this.rejections = rejections;
    }

    @Override
    public void check(Grant grant) {
        try {
            checks.check(grant);
        } catch (SQLException e) {
            throw new GuardFailedException(
                    "the database could not check the token of lock '" + grant.lock() + "' (SQLSTATE " + e.getSQLState()
                            + "): roll back",
                    e);
        }
    }

    /** The row that {@link #check} locked stays locked to the end of the transaction, so the write needs no other shield. */
    @Override
    public <T extends @Nullable Object, X extends Exception> T guarded(Grant grant, GuardedWrite<T, X> write) throws X {
        check(grant);
        return write.run();
    }

    @Override
    public Fence fence(LockName lock) {
        try {
            return reads.fence(lock);
        } catch (SQLException e) {
            throw new GuardFailedException(
                    "the database could not read the fence of lock '" + lock + "' (SQLSTATE " + e.getSQLState() + ")",
                    e);
        }
    }

    @Override
    public long rejections() {
        return rejections.getAsLong();
    }

    /** How this guard accepts a grant. */
    @FunctionalInterface
    interface Checks {
        void check(Grant grant) throws SQLException;
    }

    /** How this guard reads a fence. */
    @FunctionalInterface
    interface Reads {
        Fence fence(LockName lock) throws SQLException;
    }
}
