package io.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator can write for a proxy, and what he is told when it is wrong. */
final class ProxyConfigLoaderTest {
    private static final String FULL = """
            listen: {client: 127.0.0.1:7520, http: 127.0.0.1:7521}
            upstream: [10.0.0.1:7420, "[fd00::2]:7420", replicas.example:7420]
            """;

    @TempDir
    Path directory;

    @Test
    void everyKeyOfTheFileCounts() throws IOException {
        ProxyConfig config = load(FULL, Map.of(), Map.of(), false);
        assertThat(config.client()).hasToString("127.0.0.1:7520");
        assertThat(config.http()).hasToString("127.0.0.1:7521");
        assertThat(config.upstream())
                .containsExactly(
                        new HostPort("10.0.0.1", 7420),
                        new HostPort("fd00::2", 7420),
                        new HostPort("replicas.example", 7420));
    }

    @Test
    void whatIsNotSetHasItsDefault() throws IOException {
        ProxyConfig config = load("upstream: [10.0.0.1:7420]", Map.of(), Map.of(), false);
        assertThat(config.client()).hasToString("127.0.0.1:7420");
        assertThat(config.http()).hasToString("127.0.0.1:7421");
    }

    @Test
    void theEnvironmentGoesOverTheFileAndAFlagOverBoth() throws IOException {
        Map<String, String> environment = Map.of(
                "HOLDFAST_UPSTREAM", "10.0.0.7:1, 10.0.0.8:2",
                "HOLDFAST_LISTEN_CLIENT", "127.0.0.1:9000",
                "HOLDFAST_LISTEN_PEER", "of a replica on this host",
                "HOLDFAST_RAFT_HEARTBEAT_MILLIS", "likewise");
        ProxyConfig config = load(FULL, environment, Map.of(ConfigKey.LISTEN_CLIENT, "[::1]:9001"), false);
        assertThat(config.upstream()).containsExactly(new HostPort("10.0.0.7", 1), new HostPort("10.0.0.8", 2));
        assertThat(config.client()).hasToString("[::1]:9001");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            listen: {client: 127.0.0.1:1}        | upstream: is missing; set it in the file, as HOLDFAST_UPSTREAM or as --upstream
            upstream: []                         | upstream: must name 1 to 32 replicas, but names 0
            upstream: 10.0.0.1:7420              | upstream: must be a list of addresses, [host:port, …], but is "10.0.0.1:7420"
            upstream: [10.0.0.1]                 | upstream: '10.0.0.1' has no port: write host:port
            upstream: [10.0.0.1:0]               | upstream: 10.0.0.1:0 has port 0
            upstream: [a:1, a:1]                 | upstream: a:1 is there twice
            upstream: [127.0.0.1:7420]           | upstream: 127.0.0.1:7420 is also listen.client
            upstreams: [a:1]                     | upstreams: unknown key; did you mean 'upstream'?
            nonsense: 1                          | nonsense: unknown key; known are listen.client, listen.http, upstream
            members: {r1: a:1}                   | members: a replica has this key, a proxy has listen.client, listen.http, upstream
            raft: {heartbeatMillis: 50}          | raft.heartbeatMillis: a replica has this key
            listen: {peer: 127.0.0.1:1}          | listen.peer: a replica has this key
            listen: {client: 0.0.0.0:1}          | listen.client: 0.0.0.0:1 can be reached from other machines
            listen: {client: 127.0.0.1:7421}     | listen.http: 127.0.0.1:7421 is also listen.client
            """)
    void whatIsWrongIsNamed(String file, String told) {
        assertThatThrownBy(() -> load(file, Map.of(), Map.of(), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(told)
                .hasMessageStartingWith(directory.toString());
    }

    @Test
    void aMistypedVariableIsNamed() {
        assertThatThrownBy(() -> load(FULL, Map.of("HOLDFAST_LISTEN_CLIENTS", "x"), Map.of(), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("HOLDFAST_LISTEN_CLIENTS")
                .hasMessageContaining("HOLDFAST_LISTEN_CLIENT");
    }

    @Test
    void otherMachinesMayReachItIfThatIsSaid() throws IOException {
        assertThat(load("listen: {client: 0.0.0.0:1}\nupstream: [a:1]", Map.of(), Map.of(), true)
                        .client())
                .hasToString("0.0.0.0:1");
    }

    /** What a proxy has, a replica has not. */
    @Test
    void aReplicaHasNoUpstream() throws IOException {
        Path file = Files.writeString(directory.resolve("r.yaml"), "upstream: [a:1]");
        assertThatThrownBy(() -> ReplicaConfigLoader.load(file, Map.of(), Map.of(), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("upstream: a proxy has this key");
    }

    private ProxyConfig load(
            String text, Map<String, String> environment, Map<ConfigKey, String> flags, boolean insecure)
            throws IOException {
        Path file = Files.writeString(directory.resolve("proxy.yaml"), text);
        return ProxyConfigLoader.load(file, environment, flags, insecure);
    }
}
