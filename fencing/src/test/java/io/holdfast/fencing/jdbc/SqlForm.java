package io.holdfast.fencing.jdbc;

import io.holdfast.fencing.FencingGuard;
import io.holdfast.fencing.Grant;
import java.sql.Connection;
import java.sql.SQLException;

/** The two forms as the tests see them: the rows' one has a row for each lock, named as the lock. */
enum SqlForm {
    TABLE {
        @Override
        void check(Connection connection, Grant grant) throws SQLException {
            new GuardTable().check(connection, grant);
        }

        @Override
        FencingGuard in(Connection connection, String lock) {
            return new GuardTable().in(connection);
        }
    },
    ROWS {
        @Override
        void check(Connection connection, Grant grant) throws SQLException {
            new FencedRows("account", "name", "fence")
                    .raise(connection, grant.lock().value(), grant);
        }

        @Override
        FencingGuard in(Connection connection, String lock) {
            return new FencedRows("account", "name", "fence").in(connection, lock);
        }
    };

    /** Makes what either form needs, with rows for these locks. */
    static void prepare(PostgresServer.Schema schema, String... locks) throws SQLException {
        schema.execute(
                new GuardTable().ddl(),
                "CREATE TABLE account (name text PRIMARY KEY, balance bigint NOT NULL DEFAULT 0,"
                        + " fence bigint NOT NULL DEFAULT 0)");
        for (String lock : locks) {
            schema.execute("INSERT INTO account (name) VALUES ('" + lock + "')");
        }
    }

    abstract void check(Connection connection, Grant grant) throws SQLException;

    abstract FencingGuard in(Connection connection, String lock);
}
