package io.holdfast.fencing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.fencing.Grant;
import io.holdfast.fencing.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random tokens in transactions of four connections at READ COMMITTED, a fifth of them rolled back: the rows that they wrote,
 * in the order in which they were written, never go back to an older token.
 */
@ExtendWith(PostgresServer.Extension.class)
class CommitOrderIT {
    private static final String LOCK = "/order";
    private static final int THREADS = 4;
    private static final int TRANSACTIONS = 100;

    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger rolledBack = new AtomicInteger();

    @ParameterizedTest
    @EnumSource
    void committedTokensNeverGoBack(SqlForm form, PostgresServer server) throws Exception {
        PostgresServer.Schema schema = server.newSchema();
        SqlForm.prepare(schema, LOCK);
        schema.execute("CREATE TABLE written (position bigint GENERATED ALWAYS AS IDENTITY, token bigint NOT NULL)");
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                running.add(threads.submit(() -> write(form, schema, random)));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        } finally {
            threads.shutdown();
        }
        List<Long> tokens = written(schema);
        assertThat(tokens).isSorted();
        assertThat(refused).hasPositiveValue();
        assertThat(rolledBack).hasPositiveValue();
        assertThat(tokens.size() + refused.get() + rolledBack.get()).isEqualTo(THREADS * TRANSACTIONS);
    }

    private Void write(SqlForm form, PostgresServer.Schema schema, Random random) throws SQLException {
        try (Connection connection = schema.open();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO written (token) VALUES (?)")) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                long token = 1 + i * 5L + random.nextInt(50);
                try {
                    form.check(connection, Grant.exclusive(LOCK, token));
                    insert.setLong(1, token); // takes its position now, with the guard's row locked
                    insert.executeUpdate();
                } catch (StaleTokenException e) {
                    refused.incrementAndGet();
                    connection.rollback();
                    continue;
                }
                if (random.nextInt(5) == 0) {
                    rolledBack.incrementAndGet();
                    connection.rollback();
                } else {
                    connection.commit();
                }
            }
        }
        return null;
    }

    private static List<Long> written(PostgresServer.Schema schema) throws SQLException {
        List<Long> tokens = new ArrayList<>();
        try (Connection connection = schema.open();
                PreparedStatement read = connection.prepareStatement("SELECT token FROM written ORDER BY position");
                ResultSet rows = read.executeQuery()) {
            while (rows.next()) {
                tokens.add(rows.getLong(1));
            }
        }
        return tokens;
    }
}
