package io.holdfast.fencing.jdbc;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.FencingGuard;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.GuardContract;
import io.holdfast.fencing.GuardedWrite;
import io.holdfast.fencing.LockName;
import java.sql.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on rows that carry their fence; each lock has one row, each use is a transaction at READ COMMITTED. */
@ExtendWith(PostgresServer.Extension.class)
class FencedRowsContractIT extends GuardContract {
    private final FencedRows rows = new FencedRows("account", "name", "fence");
    private Transactions transactions;

    @BeforeEach
    void makeRows(PostgresServer server) throws Exception {
        PostgresServer.Schema schema = server.newSchema();
        SqlForm.prepare(schema, LOCK, "/random-1", "/random-2", "/random-3");
        transactions = new Transactions(schema);
    }

    @AfterEach
    void close() throws Exception {
        transactions.close();
    }

    @Override
    protected <T> T using(GuardUse<T> use) throws Exception {
        return transactions.run(connection -> use.with(new ByLock(rows, connection)));
    }

    /** Finds the row by the lock's name. */
    private record ByLock(FencedRows rows, Connection connection) implements FencingGuard {
        @Override
        public void check(Grant grant) {
            rows.in(connection, grant == null ? LOCK : grant.lock().value()).check(grant);
        }

        @Override
        public <T, X extends Exception> T guarded(Grant grant, GuardedWrite<T, X> write) throws X {
            return rows.in(connection, grant.lock().value()).guarded(grant, write);
        }

        @Override
        public Fence fence(LockName lock) {
            return rows.in(connection, lock.value()).fence(lock);
        }

        @Override
        public long rejections() {
            return rows.rejections();
        }
    }
}
