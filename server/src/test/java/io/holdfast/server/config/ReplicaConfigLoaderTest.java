package io.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an operator can write, in which order it counts, and what he is told when it is wrong. */
final class ReplicaConfigLoaderTest {
    private static final String FULL = """
            cell: main
            replica: r1
            zone: a
            dataDir: /var/lib/holdfast
            listen: {client: 127.0.0.1:7520, http: 127.0.0.1:7521, peer: 127.0.0.1:7522}
            members: {r1: 10.0.0.1:7422, r2: 10.0.0.2:7422, r3: "[fd00::3]:7422"}
            shards: 10
            raft: {heartbeatMillis: 50, electionMillis: [500, 900], snapshotEntries: 5000}
            session: {leaseMillis: 10000, graceMillis: 30000}
            """;

    private static final String SHORT = "replica: r1\ndataDir: /d\nmembers: {r1: 127.0.0.1:7422}\n";

    @TempDir
    Path directory;

    @Test
    void everyKeyOfTheFileCounts() throws IOException {
        ReplicaConfig config = load(FULL, Map.of(), Map.of());

        assertThat(config.naming()).isEqualTo(new ReplicaConfig.Naming("main", "r1", "a"));
        assertThat(config.dataDir()).isEqualTo(Path.of("/var/lib/holdfast"));
        assertThat(config.listen().http()).isEqualTo(new HostPort("127.0.0.1", 7521));
        assertThat(config.members())
                .containsEntry("r2", new HostPort("10.0.0.2", 7422))
                .containsEntry("r3", new HostPort("fd00::3", 7422));
        assertThat(config.shards()).isEqualTo(10);
        assertThat(config.raft()).isEqualTo(new ReplicaConfig.RaftTimes(50, 500, 900, 5000));
        assertThat(config.session()).isEqualTo(new ReplicaConfig.SessionTimes(10_000, 30_000));
    }

    @Test
    void whatHasNoEffectYetIsKnown() throws IOException {
        assertThat(load(SHORT, Map.of(), Map.of()).withoutEffect()).isEmpty();
        assertThat(load(FULL, Map.of(), Map.of()).withoutEffect())
                .containsExactly(ConfigKey.ZONE, ConfigKey.SESSION_LEASE_MILLIS, ConfigKey.SESSION_GRACE_MILLIS)
                .allMatch(key -> key.description().contains("no effect yet"));
    }

    @Test
    void whatIsProbablyNotMeantIsSaid() throws IOException {
        assertThat(ConfigDoubts.of(load(SHORT, Map.of(), Map.of()))).isEmpty();
        assertThat(ConfigDoubts.of(load(FULL, Map.of(), Map.of())))
                .singleElement()
                .asString()
                .contains("listen.peer: this replica listens on 127.0.0.1:7522", "10.0.0.1:7422 (members)");
        assertThat(ConfigDoubts.of(
                        load(FULL.replace("peer: 127.0.0.1:7522", "peer: 127.0.0.1:7422"), Map.of(), Map.of())))
                .singleElement()
                .asString()
                .contains("cannot be reached from other machines");
        String four = "members: {r1: 127.0.0.1:7422, r2: 127.0.0.1:7432, r3: 127.0.0.1:7442, r4: 127.0.0.1:7452}\n";
        assertThat(ConfigDoubts.of(load("replica: r1\ndataDir: /d\n" + four, Map.of(), Map.of())))
                .containsExactly("members: 4 replicas survive the loss of 1, as 3 do; use an odd number");
    }

    @Test
    void whatIsNotSetHasItsDefault() throws IOException {
        ReplicaConfig config = load(SHORT, Map.of(), Map.of());

        assertThat(config.naming().cell()).isEqualTo("main");
        assertThat(config.listen())
                .isEqualTo(new ReplicaConfig.Listen(
                        HostPort.parse("127.0.0.1:7420"),
                        HostPort.parse("127.0.0.1:7421"),
                        HostPort.parse("127.0.0.1:7422")));
        assertThat(config.shards()).isEqualTo(20);
        assertThat(config.raft()).isEqualTo(ReplicaConfig.RaftTimes.DEFAULT);
        assertThat(config.session()).isEqualTo(ReplicaConfig.SessionTimes.DEFAULT);
    }

    @Test
    void theMarksOfOneDocumentAreNoError() throws IOException {
        assertThat(load("---\n" + SHORT + "...\n# the end\n", Map.of(), Map.of())
                        .shards())
                .isEqualTo(20);
    }

    @Test
    void anEmptyFileIsNoError() {
        assertThatThrownBy(() -> load("", Map.of(), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("members: is missing");
    }

    @Test
    void theEnvironmentGoesOverTheFileAndAFlagOverBoth() throws IOException {
        Map<String, String> environment = Map.of(
                "HOLDFAST_RAFT_HEARTBEAT_MILLIS", "60",
                "HOLDFAST_SHARDS", "7",
                "HOLDFAST_MEMBERS", "r1=127.0.0.1:1,r2=host.example:2",
                "HOLDFAST_RAFT_ELECTION_MILLIS", "700, 800");
        ReplicaConfig config =
                load(FULL, environment, Map.of(ConfigKey.SHARDS, "8", ConfigKey.LISTEN_CLIENT, "[::1]:9000"));

        assertThat(config.raft().heartbeatMillis()).isEqualTo(60);
        assertThat(config.raft().electionFromMillis()).isEqualTo(700);
        assertThat(config.shards()).isEqualTo(8);
        assertThat(config.members()).containsOnlyKeys("r1", "r2");
        assertThat(config.listen().client()).isEqualTo(new HostPort("::1", 9000));
    }

    @Test
    void everythingCanBeSetWithoutAFile() {
        ReplicaConfig config = ReplicaConfigLoader.load(
                null,
                Map.of("HOLDFAST_DATA_DIR", "/d"),
                Map.of(ConfigKey.REPLICA, "r1", ConfigKey.MEMBERS, "r1=127.0.0.1:7422"),
                false);

        assertThat(config.dataDir()).isEqualTo(Path.of("/d"));
    }

    @Test
    void namesFollowTheKey() {
        assertThat(ConfigKey.RAFT_HEARTBEAT_MILLIS.environmentName()).isEqualTo("HOLDFAST_RAFT_HEARTBEAT_MILLIS");
        assertThat(ConfigKey.RAFT_HEARTBEAT_MILLIS.flag()).isEqualTo("--raft.heartbeat-millis");
        assertThat(ConfigKey.DATA_DIR.environmentName()).isEqualTo("HOLDFAST_DATA_DIR");
        assertThat(ConfigKey.DATA_DIR.flag()).isEqualTo("--data-dir");
        assertThat(ConfigKey.LISTEN_CLIENT.flag()).isEqualTo("--listen.client");
    }

    @Test
    void variablesOfOthersAreLeftAlone() throws IOException {
        Map<String, String> environment =
                Map.of("HOLDFAST_TOKEN", "7", "HOLDFAST_SESSION", "3", "HOLDFAST_ENDPOINTS", "x:1", "PATH", "/bin");

        assertThat(load(SHORT, environment, Map.of()).naming().replica()).isEqualTo("r1");
    }

    @Test
    void anAddressThatOthersCanReachNeedsConsent() throws IOException {
        Path file = write(SHORT + "listen: {client: 0.0.0.0:7420}\n");

        assertThatThrownBy(() -> ReplicaConfigLoader.load(file, Map.of(), Map.of(), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("listen.client")
                .hasMessageContaining("--insecure");
        assertThat(ReplicaConfigLoader.load(file, Map.of(), Map.of(), true)
                        .listen()
                        .client()
                        .host())
                .isEqualTo("0.0.0.0");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("unknown key, a suggestion", SHORT + "shard: 3", "shard: unknown key; did you mean 'shards'?"),
                mistake(
                        "unknown key in a section",
                        SHORT + "raft: {heartbeatMilis: 3}",
                        "raft.heartbeatMilis: unknown key; did you mean 'raft.heartbeatMillis'?"),
                mistake("key at the wrong level", SHORT + "heartbeatMillis: 3", "did you mean 'raft.heartbeatMillis'?"),
                mistake("unknown key, nothing near", SHORT + "colour: red", "colour: unknown key; known are cell, "),
                mistake("wrong type, number for text", SHORT + "cell: 5", "cell: must be text, but is 5"),
                mistake("wrong type, YAML's no", SHORT + "zone: no", "zone: must be text, but is false"),
                mistake(
                        "wrong type, text for number",
                        SHORT + "shards: many",
                        "shards: must be a whole number, but is \"many\""),
                mistake("wrong type, fraction", SHORT + "shards: 1.5", "shards: must be a whole number, but is 1.5"),
                mistake(
                        "too large for a number",
                        SHORT + "shards: 99999999999999999999",
                        "shards: must be a whole number"),
                mistake("a section that is no map", SHORT + "raft: fast", "raft: must be a map of keys to values"),
                mistake("empty value", SHORT + "cell:", "cell: '': use 1 to 64 letters"),
                mistake(
                        "range of one",
                        SHORT + "raft: {electionMillis: [5]}",
                        "raft.electionMillis: must be two whole numbers"),
                mistake(
                        "range turned round",
                        SHORT + "raft: {electionMillis: [900, 500]}",
                        "raft.electionMillis: [900, 500] is not a range"),
                mistake(
                        "election too short",
                        SHORT + "raft: {electionMillis: [150, 300]}",
                        "must begin at twice raft.heartbeatMillis (100)"),
                mistake(
                        "lease too short",
                        SHORT + "session: {leaseMillis: 3999}",
                        "session.leaseMillis: 3999 is outside 4000 to 60000"),
                mistake("fewer than no shards", SHORT + "shards: -1", "shards: -1 is outside 0 to 1000"),
                mistake(
                        "a cell named as a shard",
                        SHORT + "cell: shard-03",
                        "cell: 'shard-03': names that begin with shard- are kept for the shards"),
                mistake(
                        "address without port",
                        SHORT + "listen: {http: localhost}",
                        "listen.http: 'localhost' has no port"),
                mistake(
                        "address with a bad port",
                        SHORT + "listen: {http: 'localhost:99999'}",
                        "listen.http: port 99999 is outside"),
                mistake(
                        "bare IPv6",
                        SHORT + "listen: {http: '::1:7421'}",
                        "listen.http: '::1:7421': write an IPv6 address in brackets"),
                mistake(
                        "one port twice",
                        SHORT + "listen: {http: '127.0.0.1:7420'}",
                        "listen.http: 127.0.0.1:7420 is also listen.client"),
                mistake(
                        "not a member",
                        "replica: r9\ndataDir: /d\nmembers: {r1: 127.0.0.1:1}",
                        "replica: 'r9' is not among the members r1"),
                mistake(
                        "no members",
                        "replica: r1\ndataDir: /d\nmembers: {}",
                        "members: must name 1 to 7 replicas, but names 0"),
                mistake(
                        "members with one address",
                        "replica: r1\ndataDir: /d\nmembers: {r1: 'h:1', r2: 'h:1'}",
                        "members: r1 and r2 have the same address h:1"),
                mistake(
                        "member with a bad name",
                        "replica: r1\ndataDir: /d\nmembers: {r1: 'h:1', 'r 2': 'h:2'}",
                        "members: 'r 2': use 1 to 64 letters"),
                mistake(
                        "no data directory",
                        "replica: r1\nmembers: {r1: 'h:1'}",
                        "dataDir: is missing; set it in the file, as HOLDFAST_DATA_DIR or as --data-dir"),
                mistake("a key twice", SHORT + "replica: r2", "not valid YAML"),
                mistake("broken YAML", SHORT + "raft: {", "not valid YAML"),
                mistake("a second document", SHORT + "---\nshards: 7\n", ":5: a second YAML document begins here"),
                mistake("a list", "- a\n- b", "this is not a map of keys to values"));
    }

    private static Arguments mistake(String what, String file, String message) {
        return Arguments.of(what, file, message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void aMistakeIsNamedInOneLineWithTheFile(String what, String content, String message) throws IOException {
        Path file = write(content);

        assertThatThrownBy(() -> ReplicaConfigLoader.load(file, Map.of(), Map.of(), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aMistakeInTheEnvironmentOrAFlagIsNamedAfterIt() {
        assertThatThrownBy(() -> load(SHORT, Map.of("HOLDFAST_SHARDS", "x"), Map.of()))
                .hasMessage("HOLDFAST_SHARDS: shards: 'x' is not a whole number");
        assertThatThrownBy(() -> load(SHORT, Map.of(), Map.of(ConfigKey.SHARDS, "1001")))
                .hasMessage("--shards: shards: 1001 is outside 0 to 1000");
        assertThatThrownBy(() -> load(SHORT, Map.of("HOLDFAST_RAFT_HEARTBEAT_MILIS", "5"), Map.of()))
                .hasMessageContaining(
                        "HOLDFAST_RAFT_HEARTBEAT_MILIS: unknown key; did you mean 'HOLDFAST_RAFT_HEARTBEAT_MILLIS'?");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> ReplicaConfigLoader.load(directory.resolve("none.yaml"), Map.of(), Map.of(), false))
                .hasMessage(directory.resolve("none.yaml") + ": there is no such file");
    }

    @Test
    void loopbackIsJudgedAsWritten() {
        assertThat(List.of("127.0.0.1", "127.9.8.7", "localhost", "LOCALHOST", "::1", "0:0:0:0:0:0:0:1"))
                .allMatch(host -> new HostPort(host, 1).isLoopback());
        assertThat(List.of("0.0.0.0", "::", "10.0.0.1", "example.org", "127.0.0.1.example.org"))
                .noneMatch(host -> new HostPort(host, 1).isLoopback());
        assertThat(new HostPort("::1", 7420)).hasToString("[::1]:7420");
    }

    private ReplicaConfig load(String content, Map<String, String> environment, Map<ConfigKey, String> flags)
            throws IOException {
        return ReplicaConfigLoader.load(write(content), environment, flags, false);
    }

    private Path write(String content) throws IOException {
        return Files.writeString(directory.resolve("replica.yaml"), content);
    }
}
