package io.holdfast.chaos.fence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FenceServerTest {
    @TempDir
    private Path directory;

    @Test
    void keepsTheHighestTokenOfEachMode() throws IOException {
        Path log = directory.resolve("fence.log");
        try (FenceServer server = new FenceServer("127.0.0.1", 0, log)) {
            try (FenceClient client = new FenceClient("127.0.0.1", server.port())) {
                assertThat(client.write("/a", 5, false, "c1")).isTrue();
                assertThat(client.write("/a", 5, false, "c1")).isTrue();
                assertThat(client.write("/a", 4, false, "c2")).isFalse();
                assertThat(client.write("/a", 8, true, "c2")).isTrue();
                assertThat(client.write("/a", 7, true, "c3")).isTrue();
                assertThat(client.write("/a", 4, true, "c3")).isFalse();
                assertThat(client.write("/a", 7, false, "c1")).isFalse();
                assertThat(client.write("/b", 1, false, "c1")).isTrue();
            }
            assertThat(server.accepted()).isEqualTo(5);
            assertThat(server.refused()).isEqualTo(3);
        }
        assertThat(log.toFile().length()).isPositive();
    }
}
