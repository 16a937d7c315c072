package io.holdfast.fencing.jdbc;

import io.holdfast.fencing.ModesContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract in a guard table; each use is a transaction at READ COMMITTED on a connection of its own. */
@ExtendWith(PostgresServer.Extension.class)
class GuardTableContractIT extends ModesContract {
    private final GuardTable table = new GuardTable();
    private PostgresServer.Schema schema;
    private Transactions transactions;

    @BeforeEach
    void makeTable(PostgresServer server) throws Exception {
        schema = server.newSchema();
        schema.execute(table.ddl());
        transactions = new Transactions(schema);
    }

    @AfterEach
    void close() throws Exception {
        transactions.close();
    }

    @Override
    protected <T> T using(GuardUse<T> use) throws Exception {
        return transactions.run(connection -> use.with(table.in(connection)));
    }

    @Test
    void makingTheTableAgainDoesNothing() throws Exception {
        schema.execute(table.ddl(), table.ddl());
    }
}
