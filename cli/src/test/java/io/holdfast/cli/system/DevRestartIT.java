package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.system.Holdfast.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cell on one machine ends in every way there is, and comes back with all it had, or says why it will not. */
final class DevRestartIT {
    @TempDir
    Path directory;

    private int port;
    private Holdfast holdfast;
    private Path data;

    @BeforeEach
    void prepare() {
        port = DevProcess.freePorts();
        holdfast = new Holdfast(directory, "127.0.0.1:" + port);
        data = directory.resolve("data");
    }

    @AfterEach
    void stopAll() {
        holdfast.close();
    }

    private DevProcess dev(String... more) {
        return new DevProcess(holdfast, data, port, more);
    }

    @Test
    void afterAKillValuesAreThereAndTokensRise() {
        DevProcess first = dev().start();
        assertThat(holdfast.run("put", "/kept", "value").status()).isZero();
        long token = token();
        first.kill();

        DevProcess second = dev().start();
        assertThat(holdfast.run("get", "/kept").out()).isEqualTo("value");
        long later = token();
        assertThat(later).isGreaterThan(token);
        second.running().signal("INT");
        Result stopped = second.running().await();
        assertThat(stopped.status()).isEqualTo(130);
        assertThat(stopped.err()).contains("stopped");

        dev().start();
        assertThat(holdfast.run("get", "/kept").out()).isEqualTo("value");
        assertThat(token()).isGreaterThan(later);
    }

    private long token() {
        Result result = holdfast.run("lock", "/t", "--", "sh", "-c", "echo $HOLDFAST_TOKEN");
        assertThat(result.status()).as(result.err()).isZero();
        return Long.parseLong(result.out().strip());
    }

    @Test
    void aReplicaWhoseDataIsGoneStopsTheStart() throws IOException {
        dev().start().kill();
        delete(data.resolve("r2"));

        Result refused = dev().begin().await();

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err())
                .contains("replica r2", data.resolve("r2").toString(), "delete " + data)
                .doesNotContain("\tat ");
    }

    @Test
    void anotherNumberOfReplicasIsRefused() {
        dev().start().kill();

        Result refused = dev("--replicas", "1").begin().await();

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("--replicas 1", "formed with 3 replicas", "r1, r2, r3");
    }

    @Test
    void anotherNumberOfShardsIsRefused() {
        dev("--shards", "2").start().kill();

        Result refused = dev("--shards", "3").begin().await();

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err())
                .contains(data.resolve("r1").resolve("identity").toString(), "2 shards", "shards: 3")
                .doesNotContain("\tat ");
        dev("--shards", "2").start();
    }

    @Test
    void foreignAndDamagedDataIsRefusedWithItsFile() throws IOException {
        dev().start().kill();
        Path identity = data.resolve("r1").resolve("identity");
        String text = Files.readString(identity);

        Files.writeString(identity, text.replace("replica r1", "replica r9"));
        Result damaged = dev().begin().await();
        assertThat(damaged.status()).isEqualTo(1);
        assertThat(damaged.err()).contains(identity.toString(), "checksum");

        Files.copy(data.resolve("r3").resolve("identity"), identity, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        Result foreign = dev().begin().await();
        assertThat(foreign.status()).isEqualTo(1);
        assertThat(foreign.err()).contains(identity.toString(), "belongs to replica 'r3'");
    }

    @Test
    void anOccupiedPortStopsTheStart() throws IOException {
        try (ServerSocket socket = new ServerSocket(port + 3, 1, InetAddress.getLoopbackAddress())) {
            Result refused = dev().begin().await();

            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.err()).contains("--port", "port " + socket.getLocalPort(), "in use");
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void aSecondCellOnTheSameDataIsRefused() {
        dev().start();

        Result refused =
                new DevProcess(holdfast, data, DevProcess.freePorts()).begin().await();

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains(data.resolve("r1").toString(), "in use by another process");
    }

    @Test
    void badOptionsAreWrongUsage() {
        assertThat(dev("--replicas", "0").begin().await().status()).isEqualTo(2);
        assertThat(dev("--shards", "many").begin().await().status()).isEqualTo(2);
        assertThat(holdfast.run("dev", "--port", "70000").status()).isEqualTo(2);
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
