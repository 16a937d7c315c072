package io.holdfast.chaos.ledger;

import io.holdfast.chaos.show.Arguments;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.jdbc.FencedRows;
import io.holdfast.fencing.jdbc.GuardTable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;

/**
 * What {@code bench/fence} starts: the cost of a guard beside the plain update, in one PostgreSQL with fsync on. The three forms take
 * turns, transaction by transaction, so that whatever else the machine does hits them alike. Exit status 1 if a guarded update
 * costs more than {@link #BOUND} times the plain one, in the median.
 */
public final class FenceCostMain {
    private static final double BOUND = 1.3;
    private static final String LOCK = "/bench/fence";
    private static final int ACCOUNT = 1;

    private final Connection connection;
    private final GuardTable guard = new GuardTable();
    private final FencedRows rows = new FencedRows("account", "number", "fence");
    private final PreparedStatement plain;
    private final PreparedStatement fenced;
    private long balance;

    private enum Form {
        PLAIN,
        GUARD_TABLE,
        FENCED_ROW
    }

    private FenceCostMain(Connection connection) throws SQLException {
        this.connection = connection;
        try (Statement statement = connection.createStatement()) {
            statement.execute(guard.ddl());
            statement.execute(
                    "CREATE TABLE account (number int PRIMARY KEY, balance bigint, fence bigint NOT NULL DEFAULT 0)");
            statement.execute("INSERT INTO account VALUES (" + ACCOUNT + ", 0)");
        }
        connection.setAutoCommit(false);
        plain = connection.prepareStatement("UPDATE account SET balance = ? WHERE number = ?");
        fenced = connection.prepareStatement(
                "UPDATE account SET balance = ?, fence = ? WHERE number = ? AND fence <= ?");
    }

    public static void main(String[] args) {
        int rounds;
        Path directory;
        try {
            Arguments given = new Arguments(args, Set.of("--root", "--keep"));
            rounds = given.word("TRANSACTIONS", 3_000, 100, 1_000_000);
            directory = given.path("--directory", "fence-run");
            given.path("--sources", ".");
            given.flag("--root");
            given.flag("--keep");
            given.requireNoMore();
        } catch (IllegalArgumentException wrong) {
            System.err.println("bench/fence: " + wrong.getMessage());
            System.exit(Verdict.USAGE);
            return;
        }
        System.exit(run(rounds, directory, new Verdict(System.out)));
    }

    private static int run(int rounds, Path directory, Verdict verdict) {
        try (LedgerDatabase database = new LedgerDatabase(directory.resolve("postgres"));
                Connection connection = database.open()) {
            new FenceCostMain(connection).measure(rounds, verdict);
            return verdict.conclude("a guarded update costs less than " + BOUND + " times the plain one");
        } catch (IOException | SQLException | RuntimeException failed) {
            return verdict.failed(failed);
        }
    }

    private void measure(int rounds, Verdict verdict) throws SQLException {
        long[][] nanos = new long[Form.values().length][rounds];
        for (int round = -rounds / 5; round < rounds; round++) { // the first ones warm up
            for (Form form : Form.values()) {
                long begin = System.nanoTime();
                update(form);
                connection.commit();
                if (round >= 0) {
                    nanos[form.ordinal()][round] = System.nanoTime() - begin;
                }
            }
        }
        double plainNanos = at(nanos[Form.PLAIN.ordinal()], 0.5);
        for (Form form : Form.values()) {
            long[] own = nanos[form.ordinal()];
            double ratio = at(own, 0.5) / plainNanos;
            verdict.event(
                    "%-12s p50 %.3f ms, p99 %.3f ms, %.2f times the plain one (of %d)",
                    form, at(own, 0.5) / 1e6, at(own, 0.99) / 1e6, ratio, rounds);
            if (ratio >= BOUND) {
                verdict.finding("cost", "%s costs %.2f times a plain update", form, ratio);
            }
        }
    }

    private static double at(long[] nanos, double share) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[(int) (share * (sorted.length - 1))];
    }

    private void update(Form form) throws SQLException {
        Grant grant = Grant.exclusive(LOCK, 7);
        balance++;
        if (form == Form.FENCED_ROW) {
            fenced.setLong(1, balance);
            fenced.setLong(2, grant.token().value());
            fenced.setInt(3, ACCOUNT);
            fenced.setLong(4, grant.token().value());
            rows.accepted(connection, ACCOUNT, grant, fenced.executeUpdate());
            return;
        }
        if (form == Form.GUARD_TABLE) {
            guard.check(connection, grant);
        }
        plain.setLong(1, balance);
        plain.setInt(2, ACCOUNT);
        plain.executeUpdate();
    }
}
