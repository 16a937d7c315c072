package io.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --check} passes can be bound or dialled, as far as that shows in how it is written. */
final class HostPortTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:1",
                "10.0.0.1:65535",
                "[::]:7420",
                "[::1]:7420",
                "[2001:DB8::7]:7420",
                "[1:2:3:4:5:6:7:8]:7420",
                "[::ffff:10.0.0.1]:7420",
                "[fe80::1%eth7.2]:7420"
            })
    void anAddressIsReadAndWrittenAlike(String text) {
        assertThat(HostPort.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[foo]:1",
                "[10.0.0.1]:1",
                "[]:1",
                "[a:b]:1",
                "[1:2:3]:1",
                "[::1::]:1",
                "[12345::]:1",
                "[1:2:3:4:5:6:7:8:9]:1",
                "[fe80::1%]:1",
                "[fe80::1%a b]:1",
                "[%eth0:]:1",
                "[[::1]]:1",
                "::1:7420"
            })
    void whatIsNoIpv6AddressIsRefusedInBrackets(String text) {
        assertThatThrownBy(() -> HostPort.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'");
    }
}
