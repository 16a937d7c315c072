package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.ClientTransport;
import io.holdfast.client.transport.Endpoints;
import io.holdfast.client.transport.StreamListener;
import io.holdfast.model.ErrorCode;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input of all kinds (C103). */
final class HoldfastClientBuilderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"PT0S", "PT-1S", "PT0.001S", "PT3.999S", "PT60.001S", "PT2147483648S", "PT9223372036854775807S"})
    void c103ALeaseOutOfRangeIsRefusedWithTheRange(String lease) {
        assertThatThrownBy(() -> HoldfastClient.builder().sessionLease(Duration.parse(lease)))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(ErrorCode.INVALID))
                .hasMessageContaining("4000 to 60000 ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT4S", "PT12S", "PT60S"})
    void aLeaseInRangeIsTaken(String lease) {
        assertThat(HoldfastClient.builder().sessionLease(Duration.parse(lease))).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "localhost|localhost:7420",
                "localhost:1|localhost:1",
                "a.b-c.example:65535|a.b-c.example:65535",
                "127.0.0.1:7420|127.0.0.1:7420",
                "[::1]:7421|[::1]:7421",
                "[fe80::1%eth0]|[fe80::1%eth0]:7420",
                "a, b:2 ,a|a:7420,b:2"
            })
    void endpointsAreRead(String text, String expected) {
        assertThat(String.join(",", Endpoints.parse(text))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|is empty",
                "a,,b|is empty",
                "::1|brackets",
                "[::1|closing",
                "[]:1|no IPv6",
                "[x]:1|no IPv6",
                "[::1]7420|no valid port",
                "a:|no valid port",
                "a:0|out of range",
                "a:65536|out of range",
                "a:-1|no valid port",
                "a:99999999999|no valid port",
                "a b:1|no valid host",
                "http://a:1|scheme",
                ":7420|no valid host"
            })
    void badEndpointsAreNamed(String text, String problem) {
        assertThatThrownBy(() -> HoldfastClient.connect(text))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(problem)
                .hasMessageContaining("endpoint");
    }

    @Test
    void otherSettingsAreChecked() {
        HoldfastClientBuilder builder = HoldfastClient.builder();
        assertThatThrownBy(() -> builder.callTimeout(Duration.ZERO)).hasMessageContaining("call timeout");
        assertThatThrownBy(() -> builder.closeTimeout(Duration.ofDays(9))).hasMessageContaining("close timeout");
        assertThatThrownBy(() -> builder.grace(Duration.ofMillis(-1))).hasMessageContaining("grace");
        assertThatThrownBy(() -> builder.clientName("")).hasMessageContaining("client name");
        assertThatThrownBy(() -> builder.clientName("a\nb")).hasMessageContaining("client name");
        assertThatThrownBy(() -> builder.clientName("x".repeat(513))).hasMessageContaining("512");
    }

    @Test
    void badInputIsRefusedBeforeAnythingIsSent() {
        AtomicInteger opened = new AtomicInteger();
        try (HoldfastClient client =
                HoldfastClient.builder().transport(() -> new NeverOpens(opened)).build()) {
            assertThatThrownBy(() -> client.lock("no/slash")).hasMessageContaining("must start with '/'");
            assertThatThrownBy(() -> client.lock("/")).hasMessageContaining("root");
            assertThatThrownBy(() -> client.lock("/a").lockDelay(Duration.ofSeconds(61)))
                    .hasMessageContaining("60000");
            assertThatThrownBy(() -> client.lock("/a").lockDelay(Duration.ofSeconds(Long.MIN_VALUE)))
                    .hasMessageContaining("60000");
            assertThatThrownBy(() -> client.lock("/a").value(new byte[65_537])).hasMessageContaining("65536");
            assertThatThrownBy(() -> client.lock("/a").acquire(Duration.ofMillis(-1)))
                    .hasMessageContaining("negative");
            assertThatThrownBy(() -> client.values().put("/a", new byte[65_537]))
                    .isInstanceOfSatisfying(
                            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(ErrorCode.TOO_LARGE));
            assertThatThrownBy(() -> client.values().put("/a", new byte[0], -2)).hasMessageContaining("-2");
            assertThatThrownBy(() -> client.values().delete("/a", -1)).hasMessageContaining("-1");
            assertThatThrownBy(() -> client.values().get("/a//b")).hasMessageContaining("empty segment");
        }
        assertThat(opened).hasValue(0);
    }

    private record NeverOpens(AtomicInteger opened, ScheduledExecutorService executor) implements ClientTransport {
        NeverOpens(AtomicInteger opened) {
            this(opened, Executors.newSingleThreadScheduledExecutor());
        }

        @Override
        public ClientStream open(String endpoint, StreamListener listener) {
            throw new AssertionError("opened " + opened.incrementAndGet());
        }

        @Override
        public void close() {
            executor.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 65, Integer.MAX_VALUE})
    void c103ANetworkOfTooFewOrTooManyThreadsIsRefusedWithTheRange(int threads) {
        assertThatThrownBy(() -> ClientNetwork.withThreads(threads))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(ErrorCode.INVALID))
                .hasMessageContaining("1 to 64");
    }
}
