package io.holdfast.chaos.ledger;

import io.holdfast.fencing.jdbc.GuardTable;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A PostgreSQL of the run's own with books of accounts, a log of transfers, and the guard's table.
 *
 * <p>Each book is protected by one lock. The log says what was moved; so the balances that are due can be told without trusting
 * the balances.
 *
 * <p><b>Thread:</b> one.
 */
final class LedgerDatabase implements AutoCloseable {
    static final int BOOKS = 4;
    static final int ACCOUNTS_PER_BOOK = 4;
    static final long OPENING_BALANCE = 1_000_000;

    private static final Duration START = Duration.ofSeconds(60);

    private final EmbeddedPostgres postgres;
    private final String url;

    LedgerDatabase(Path directory) throws IOException {
        Files.createDirectories(directory);
        System.setProperty("ot.epg.working-dir", directory.resolve("programs").toString());
        this.postgres = EmbeddedPostgres.builder()
                .setDataDirectory(directory.resolve("data"))
                .setServerConfig("unix_socket_directories", "")
                // Its makers turn this off for tests; a guard's cost beside commits that cost nothing says nothing.
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("fsync", "on")
                .setPGStartupWait(START)
                .start();
        this.url = postgres.getJdbcUrl("postgres", "postgres");
    }

    String url() {
        return url;
    }

    static String book(int number) {
        return "/ledger/book" + number;
    }

    Connection open() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** Empty tables, every account with its opening balance. */
    void reset() throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS account, transfer, " + GuardTable.DEFAULT_NAME);
            statement.execute(new GuardTable().ddl());
            statement.execute("CREATE TABLE account (book varchar(200), number int, balance bigint NOT NULL,"
                    + " PRIMARY KEY (book, number))");
            statement.execute(
                    "CREATE TABLE transfer (id bigserial PRIMARY KEY, book varchar(200), token bigint NOT NULL, source"
                            + " int, target int, amount bigint NOT NULL, worker varchar(50), UNIQUE (worker, id))");
            for (int book = 0; book < BOOKS; book++) {
                for (int account = 0; account < ACCOUNTS_PER_BOOK; account++) {
                    statement.execute("INSERT INTO account VALUES ('" + book(book) + "', " + account + ", "
                            + OPENING_BALANCE + ")");
                }
            }
        }
    }

    long transfers() throws SQLException {
        return number("SELECT count(*) FROM transfer");
    }

    /** Accounts whose balance is not what the log of transfers makes it, each in words. */
    List<String> wrongBalances() throws SQLException {
        return words("SELECT book || ' account ' || number || ' has ' || balance || ', and should have ' || due FROM ("
                + "SELECT a.book, a.number, a.balance, " + OPENING_BALANCE
                + " + coalesce((SELECT sum(amount) FROM transfer t WHERE t.book = a.book AND t.target = a.number), 0)"
                + " - coalesce((SELECT sum(amount) FROM transfer t WHERE t.book = a.book AND t.source = a.number), 0)"
                + " AS due FROM account a) sums WHERE balance <> due ORDER BY 1");
    }

    /** Transfers whose token is lower than that of one before them in the same book, each in words. */
    List<String> outOfTokenOrder() throws SQLException {
        return words("SELECT book || ' transfer ' || id || ' has token ' || token || ', before it was ' || highest FROM"
                + " (SELECT id, book, token, max(token) OVER (PARTITION BY book ORDER BY id ROWS BETWEEN UNBOUNDED"
                + " PRECEDING AND 1 PRECEDING) AS highest FROM transfer) ordered WHERE token < highest ORDER BY"
                + " 1");
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private List<String> words(String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = open();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                found.add(row.getString(1));
            }
        }
        return found;
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException gone) {
            // It has ended already.
        }
    }
}
