package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.CacheStats;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Value;
import io.holdfast.server.ReplicaServer;
import io.holdfast.server.config.ConfigKey;
import io.holdfast.server.config.ReplicaConfigLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** F7 over real sockets: many reads of one flag, of which next to none reach the cell, and none is older than the last write. */
final class CacheIT {
    private static final int WRITES = 50;
    private static final int READS = 200;

    @TempDir
    Path directory;

    private ReplicaServer server;
    private String endpoint;

    @BeforeEach
    void start() throws Exception {
        int port = DevProcess.freePorts(3);
        endpoint = "127.0.0.1:" + port;
        server = ReplicaServer.start(
                ReplicaConfigLoader.load(
                        null,
                        Map.of(),
                        Map.of(
                                ConfigKey.REPLICA,
                                "r1",
                                ConfigKey.MEMBERS,
                                "r1=127.0.0.1:" + (port + 2),
                                ConfigKey.DATA_DIR,
                                directory.resolve("r1").toString(),
                                ConfigKey.LISTEN_CLIENT,
                                endpoint,
                                ConfigKey.LISTEN_HTTP,
                                "127.0.0.1:" + (port + 1),
                                ConfigKey.LISTEN_PEER,
                                "127.0.0.1:" + (port + 2)),
                        false),
                (say, why) -> {});
        server.whenServing().get(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void readersOfAFlagSeeEachWriteAndHardlyAskTheCell() {
        try (HoldfastClient writer = HoldfastClient.connect(endpoint);
                HoldfastClient reader = HoldfastClient.connect(endpoint)) {
            writer.values().put("/flag", bytes(0));
            assertThat(reader.values().get("/none")).isEmpty();
            Holdfast.await("the cache answers", () -> {
                reader.values().get("/flag");
                reader.values().get("/none");
                return reader.cacheStats().hits() > 1;
            });
            CacheStats before = reader.cacheStats();
            for (int written = 1; written <= WRITES; written++) {
                writer.values().put("/flag", bytes(written));
                for (int i = 0; i < READS; i++) {
                    Value read = reader.values().get("/flag").orElseThrow();
                    assertThat(read.text()).isEqualTo(Integer.toString(written));
                }
            }
            CacheStats after = reader.cacheStats();
            assertThat(after.invalidations() - before.invalidations()).isEqualTo(WRITES);
            assertThat(after.misses() - before.misses()).isLessThanOrEqualTo(2 * WRITES);
            assertThat(after.hits() - before.hits()).isGreaterThanOrEqualTo(WRITES * (READS - 2L));
            assertThat(reader.values().get("/none")).isEmpty();
            assertThat(writer.values().withoutSession().get("/flag")).isPresent();
        }
    }

    private static byte[] bytes(int value) {
        return Integer.toString(value).getBytes(StandardCharsets.UTF_8);
    }
}
