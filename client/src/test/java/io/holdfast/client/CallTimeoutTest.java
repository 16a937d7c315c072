package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Calls with a timeout of their own; the client's would be hours. */
final class CallTimeoutTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void aCallEndsWithItsOwnTimeout() throws Exception {
        int deadPort;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            deadPort = socket.getLocalPort();
        }
        try (HoldfastClient client = HoldfastClient.builder()
                .endpoints("127.0.0.1:" + deadPort)
                .callTimeout(Duration.ofHours(5))
                .build()) {
            List<ThrowingCallable> calls = List.of(
                    () -> client.values().callTimeout(SHORT).get("/x"),
                    () -> client.values().withoutSession().callTimeout(SHORT).put("/x", new byte[1]),
                    () -> client.admin().callTimeout(SHORT).status(),
                    () -> client.election("/x").callTimeout(SHORT).leader());
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call).isInstanceOf(UnreachableException.class);
            }
            for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofHours(25))) {
                assertThatThrownBy(() -> client.values().callTimeout(bad))
                        .isInstanceOf(RefusedException.class)
                        .hasMessageContaining("call timeout");
            }
        }
    }
}
