package io.holdfast.fencing.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A real PostgreSQL, one for all tests of this JVM, in a temporary directory of its own. Its programs come in a jar. PostgreSQL
 * refuses to run as root; then it is started in a user namespace in which root is nobody.
 *
 * <p>Where it cannot be started the tests fail and say so: a database's guard that was tried on no database is not tested.
 */
public final class PostgresServer implements AutoCloseable {
    private static final String SUPERUSER = "postgres";

    private final Path directory;
    private final EmbeddedPostgres postgres;
    private final AtomicInteger schemas = new AtomicInteger();

    private PostgresServer(Path directory, EmbeddedPostgres postgres) {
        this.directory = directory;
        this.postgres = postgres;
    }

    /** Gives tests the server; it is stopped after the last of them. */
    public static final class Extension implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == PostgresServer.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(PostgresServer.class))
                    .getOrComputeIfAbsent(PostgresServer.class, key -> start(), PostgresServer.class);
        }
    }

    private static PostgresServer start() {
        try {
            Path directory = Files.createTempDirectory("holdfast-postgres-");
            try {
                System.setProperty(
                        "ot.epg.working-dir", directory.toString()); // else it leaves its programs in one for all
                EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                        .setDataDirectory(directory.resolve("data"))
                        .setServerConfig("unix_socket_directories", "")
                        .setServerConfig("deadlock_timeout", "100ms")
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .start();
                return new PostgresServer(directory, postgres);
            } catch (IOException | RuntimeException e) {
                delete(directory);
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            throw new AssertionError(
                    "PostgreSQL could not be started, so nothing of the guards in a database was tested. It needs an"
                            + " x86-64 machine and, as root, the right to make a user namespace (`unshare -U id` must work): run the"
                            + " tests as another user otherwise",
                    e);
        }
    }

    /** A new schema for one test. */
    public Schema newSchema() throws SQLException {
        String name = "test_" + schemas.incrementAndGet();
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + name);
        }
        return new Schema(this, name);
    }

    /** A schema; the tables in it are one test's. */
    public record Schema(PostgresServer server, String name) {
        /** A new connection, in a transaction at READ COMMITTED. */
        public Connection open() throws SQLException {
            Connection connection = server.postgres
                    .getDatabase(SUPERUSER, "postgres", Map.of("currentSchema", name))
                    .getConnection();
            connection.setAutoCommit(false);
            return connection;
        }

        /** Runs statements and commits them. */
        public void execute(String... statements) throws SQLException {
            try (Connection connection = open();
                    Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
                connection.commit();
            }
        }
    }

    @Override
    public void close() throws IOException {
        postgres.close();
        delete(directory);
    }

    private static void delete(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(directory)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.delete(file);
        }
    }
}
