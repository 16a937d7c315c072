package io.holdfast.fencing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.fencing.Grant;
import io.holdfast.fencing.LockName;
import io.holdfast.fencing.StaleTokenException;
import io.holdfast.model.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two transactions race at READ COMMITTED, in each order that matters: an older token never commits after a newer one was
 * accepted. "Known" locks have a fence when the race begins; for others the two race for the guard table's first row.
 */
@ExtendWith(PostgresServer.Extension.class)
class TransactionRaceIT {
    private static final String LOCK = "/race";
    private static final Grant OLD = Grant.exclusive(LOCK, 33);
    private static final Grant NEW = Grant.exclusive(LOCK, 34);

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private PostgresServer.Schema schema;
    private Connection oldHolder;
    private Connection newHolder;

    @BeforeEach
    void open(PostgresServer server) throws SQLException {
        schema = server.newSchema();
        SqlForm.prepare(schema, LOCK);
        oldHolder = schema.open();
        newHolder = schema.open();
    }

    @AfterEach
    void close() throws SQLException {
        oldHolder.close();
        newHolder.close();
        thread.shutdown();
    }

    @ParameterizedTest
    @CsvSource({"TABLE, true", "TABLE, false", "ROWS, true"})
    void aNewerTokenWaitsForTheOlderTransactionAndThenRefusesIt(SqlForm form, boolean known) throws Exception {
        make(form, known);
        form.check(oldHolder, OLD);
        Future<?> newer = checkLater(form, newHolder, NEW);
        Blocked.await(schema, newHolder);
        assertThat(newer.isDone()).isFalse();
        oldHolder.commit();
        newer.get();
        newHolder.commit();
        refused(form);
    }

    @ParameterizedTest
    @CsvSource({"TABLE, true", "TABLE, false", "ROWS, true"})
    void anOlderTokenWaitsForTheNewerTransactionAndIsRefusedByWhatItCommits(SqlForm form, boolean known)
            throws Exception {
        make(form, known);
        form.check(newHolder, NEW);
        Future<?> older = checkLater(form, oldHolder, OLD);
        Blocked.await(schema, oldHolder);
        newHolder.commit();
        assertThatThrownBy(older::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.token()).isEqualTo(OLD.token());
                    assertThat(stale.accepted()).isEqualTo(NEW.token());
                });
    }

    @ParameterizedTest
    @CsvSource({"TABLE, true", "TABLE, false", "ROWS, true"})
    void whatIsRolledBackWasNeverAccepted(SqlForm form, boolean known) throws Exception {
        make(form, known);
        form.check(newHolder, NEW);
        Future<?> older = checkLater(form, oldHolder, OLD);
        Blocked.await(schema, oldHolder);
        newHolder.rollback();
        older.get();
        oldHolder.commit();
        assertThat(form.in(newHolder, LOCK).fence(new LockName(LOCK)).highest()).isEqualTo(new FencingToken(33));
    }

    /** The holder's own token again, from a second connection: also this one waits, so writes under a lock keep an order. */
    @ParameterizedTest
    @CsvSource({"TABLE, true", "TABLE, false", "ROWS, true"})
    void theSameTokenWaitsToo(SqlForm form, boolean known) throws Exception {
        make(form, known);
        form.check(oldHolder, OLD);
        Future<?> again = checkLater(form, newHolder, OLD);
        Blocked.await(schema, newHolder);
        oldHolder.commit();
        again.get();
        newHolder.commit();
    }

    private void make(SqlForm form, boolean known) throws SQLException {
        if (known) {
            form.check(oldHolder, Grant.exclusive(LOCK, 1));
            oldHolder.commit();
        }
    }

    private Future<?> checkLater(SqlForm form, Connection connection, Grant grant) {
        return thread.submit(() -> {
            form.check(connection, grant);
            return null;
        });
    }

    private void refused(SqlForm form) {
        assertThatThrownBy(() -> form.check(oldHolder, OLD)).isInstanceOf(StaleTokenException.class);
    }
}
