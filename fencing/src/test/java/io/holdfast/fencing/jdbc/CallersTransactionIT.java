package io.holdfast.fencing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.FencingGuard;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.GuardFailedException;
import io.holdfast.fencing.LockName;
import io.holdfast.fencing.StaleTokenException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The transaction is the caller's: what a guard does not do to it, at which levels it holds, and how it fails. */
@ExtendWith(PostgresServer.Extension.class)
class CallersTransactionIT {
    private static final String LOCK = "/a";
    private static final String OTHER = "/b";

    private PostgresServer.Schema schema;
    private Connection mine;
    private Connection another;

    @BeforeEach
    void open(PostgresServer server) throws SQLException {
        schema = server.newSchema();
        SqlForm.prepare(schema, LOCK, OTHER);
        mine = schema.open();
        another = schema.open();
    }

    @AfterEach
    void close() throws SQLException {
        mine.close();
        another.close();
    }

    @ParameterizedTest
    @EnumSource
    void aGuardNeitherCommitsNorRollsBack(SqlForm form) throws SQLException {
        deposit(mine, 5);
        form.check(mine, Grant.exclusive(LOCK, 7));
        assertThat(fence(form, another)).isEqualTo(Fence.NONE);
        assertThat(balance(mine)).isEqualTo(5);
        assertThat(balance(another)).isZero();
        mine.rollback();
        assertThat(fence(form, mine)).isEqualTo(Fence.NONE);
        assertThat(balance(mine)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void afterARefusalTheTransactionIsStillTheCallersToEnd(SqlForm form) throws SQLException {
        form.check(another, Grant.exclusive(LOCK, 9));
        another.commit();
        deposit(mine, 5);
        assertThatThrownBy(() -> form.check(mine, Grant.exclusive(LOCK, 7))).isInstanceOf(StaleTokenException.class);
        assertThat(balance(mine)).isEqualTo(5);
        mine.rollback();
        assertThat(balance(mine)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatCommitsEachStatementIsRefused(SqlForm form) throws SQLException {
        mine.setAutoCommit(true);
        assertThatIllegalStateException()
                .isThrownBy(() -> form.check(mine, Grant.exclusive(LOCK, 7)))
                .withMessageContaining("setAutoCommit(false)");
        assertThat(fence(form, another)).isEqualTo(Fence.NONE);
        assertThatIllegalArgumentException().isThrownBy(() -> form.check(null, Grant.exclusive(LOCK, 7)));
    }

    @ParameterizedTest
    @CsvSource({
        "TABLE, REPEATABLE READ, 6",
        "TABLE, REPEATABLE READ, 7",
        "TABLE, SERIALIZABLE, 6",
        "ROWS, REPEATABLE READ, 6",
        "ROWS, REPEATABLE READ, 7",
        "ROWS, SERIALIZABLE, 6",
    })
    void atHigherLevelsALaterAcceptanceIsASerializationFailure(SqlForm form, String level, long token)
            throws SQLException {
        form.check(another, Grant.exclusive(LOCK, 5));
        another.commit();
        try (Statement statement = mine.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL " + level);
        }
        assertThat(fence(form, mine).highest().value()).isEqualTo(5); // its snapshot is from now
        form.check(another, Grant.exclusive(LOCK, 7));
        another.commit();
        assertThatThrownBy(() -> form.check(mine, Grant.exclusive(LOCK, token)))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        mine.rollback();
        if (token < 7) {
            assertThatThrownBy(() -> form.check(mine, Grant.exclusive(LOCK, token)))
                    .isInstanceOf(StaleTokenException.class);
        } else {
            form.check(mine, Grant.exclusive(LOCK, token));
        }
    }

    /** Two locks in two orders: the database ends one transaction, nothing of it is accepted, and it may be repeated. */
    @ParameterizedTest
    @EnumSource
    void aDeadlockEndsOneAndItMayTryAgain(SqlForm form) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            form.check(mine, Grant.exclusive(LOCK, 3));
            form.check(another, Grant.exclusive(OTHER, 4));
            Future<String> theirs = thread.submit(() -> stateOf(form, another, Grant.exclusive(LOCK, 4)));
            Blocked.await(schema, another);
            String ours = stateOf(form, mine, Grant.exclusive(OTHER, 3));
            List<String> states = new ArrayList<>(List.of(ours, theirs.get()));
            assertThat(states).containsExactlyInAnyOrder("40P01", "accepted");
            (ours.equals("accepted") ? mine : another).commit();
            Connection victim = ours.equals("accepted") ? another : mine;
            long token = victim == mine ? 3 : 4;
            if (token == 4) {
                form.check(victim, Grant.exclusive(LOCK, token));
                form.check(victim, Grant.exclusive(OTHER, token));
            } else {
                assertThatThrownBy(() -> form.check(victim, Grant.exclusive(LOCK, token)))
                        .isInstanceOf(StaleTokenException.class);
            }
        } finally {
            thread.shutdown();
        }
    }

    @Test
    void asAGuardItGivesTheDatabasesExceptionAsCause() throws SQLException {
        FencingGuard guard = new GuardTable("missing").in(mine);
        assertThatThrownBy(() -> guard.check(Grant.exclusive(LOCK, 7)))
                .isInstanceOf(GuardFailedException.class)
                .hasMessageContaining("SQLSTATE 42P01")
                .hasCauseInstanceOf(SQLException.class);
        mine.rollback();
        assertThatThrownBy(() -> guard.fence(new LockName(LOCK))).isInstanceOf(GuardFailedException.class);
        assertThat(guard.rejections()).isZero();
    }

    /** The SQLSTATE with which a check failed, rolled back; or "accepted". */
    private static String stateOf(SqlForm form, Connection connection, Grant grant) throws SQLException {
        try {
            form.check(connection, grant);
            return "accepted";
        } catch (SQLException e) {
            connection.rollback();
            return e.getSQLState();
        }
    }

    private static Fence fence(SqlForm form, Connection connection) {
        return form.in(connection, LOCK).fence(new LockName(LOCK));
    }

    private static void deposit(Connection connection, long amount) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "UPDATE account SET balance = balance + " + amount + " WHERE name = '" + OTHER + "'");
        }
    }

    private static long balance(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT balance FROM account WHERE name = '" + OTHER + "'")) {
            row.next();
            return row.getLong(1);
        }
    }
}
