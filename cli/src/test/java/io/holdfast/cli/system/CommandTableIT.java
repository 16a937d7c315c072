package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.system.Holdfast.Result;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command with its exit status, its result on standard output, and its reason on standard error (C103, C107, C109). */
final class CommandTableIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    private static Holdfast holdfast;
    private static DevProcess dev;

    @BeforeAll
    static void startCell() {
        int port = DevProcess.freePorts();
        holdfast = new Holdfast(directory, "127.0.0.1:" + port);
        dev = new DevProcess(holdfast, directory.resolve("data"), port).start();
    }

    @AfterAll
    static void stopAll() {
        holdfast.close();
    }

    @Test
    void devSaysWhereItIs() {
        assertThat(dev.running().stdout().lines().toList())
                .hasSize(2)
                .first()
                .isEqualTo("ready: endpoint=" + dev.endpoint() + " http=" + dev.http());
        assertThat(dev.running().stdout()).contains("\ntry: holdfast lock ");
    }

    @Test
    void aValueFromItsBirthToItsEnd() {
        expect(1, "get", "/v/a").errContains("no value at /v/a");
        expect(0, "put", "/v/a", "one").out("0\n");
        expect(1, "put", "/v/a", "two", "--version", "7").errContains("BAD_VERSION");
        expect(1, "put", "/v/a", "two", "--version", "-1");
        expect(0, "put", "/v/a", "two", "--version", "0").out("1\n");
        expect(0, "get", "/v/a").out("two");
        JsonNode got = expect(0, "get", "/v/a", "--output", "json").json();
        assertThat(got.get("value").asText()).isEqualTo("two");
        assertThat(got.get("version").asLong()).isEqualTo(1);
        expect(0, "ls", "/v").out("a\n");
        expect(0, "ls", "/v", "--limit", "1").out("a\n");
        expect(0, "ls", "/v", "--after", "a").out("");
        expect(1, "ls", "/v", "--limit", "0");
        assertThat(expect(0, "stat", "/v/a", "--output=json").json().get("kind").asText())
                .isEqualTo("persistent");
        expect(1, "rm", "/v/a", "--version", "0");
        expect(0, "rm", "/v/a", "--version", "1").out("");
        expect(1, "rm", "/v/a").errContains("/v/a");
        expect(1, "stat", "/v/a");
        expect(1, "ls", "/nowhere");
    }

    @Test
    void valuesOfAnyBytesUpToTheLimit() throws IOException {
        byte[] most = new byte[65_536];
        for (int i = 0; i < most.length; i++) {
            most[i] = (byte) i;
        }
        assertThat(holdfast.runWithInput(most, "put", "/big", "-").status()).isZero();
        Result got = holdfast.run("get", "/big", "--output", "json");
        assertThat(JSON.readTree(got.out()).get("valueBase64").binaryValue()).isEqualTo(most);

        Result over = holdfast.runWithInput(new byte[65_537], "put", "/big", "-");
        assertThat(over.status()).isEqualTo(1);
        assertThat(over.err()).contains("65536");
        assertThat(holdfast.runWithInput(new byte[0], "put", "/empty", "-").status())
                .isZero();
        expect(0, "get", "/empty").out("");
    }

    @Test
    void badInputIsRefusedWithItsReason() {
        expect(1, "put", "no-slash", "x").errContains("must start with '/'");
        expect(1, "get", "/a//b").errContains("empty segment");
        expect(1, "lock", "/a/../b", "--", "true").errContains("..");
        expect(2, "lock", "/t", "--lease", "3s", "--", "true").errContains("4s to 1m");
        expect(2, "lock", "/t", "--lease", "61s", "--", "true").errContains("4s to 1m");
        expect(2, "lock", "/t", "--lease", "9223372036854775807", "--", "true").errContains("--lease");
        expect(2, "lock", "/t", "--kill-after", "4s", "--", "true").errContains("a quarter of the lease");
        expect(2, "lock", "/t", "--lock-delay", "61s", "--", "true").errContains("--lock-delay");
        expect(2, "replica", "--check", "--output", "json").errContains("\"CONFIGURATION\"");
        expect(2, "lock", "/t", "--try", "--timeout", "1s", "--", "true").errContains("mutually exclusive");
        expect(2, "lock", "/t", "--timeout", "10", "--", "true").errContains("not a duration");
        expect(2, "get", "/t", "--call-timeout", "NaN").errContains("not a duration");
        expect(2, "get", "/t", "--endpoints", "::1:7420").errContains("--endpoints");
        expect(2, "get").errContains("PATH");
        expect(2, "gett", "/t").errContains("gett").errContains("--help");
        expect(2, "get", "/t", "--no-such").errContains("--no-such").errContains("holdfast get --help");
        expect(2).errContains("Usage");
        expect(2, "put", "/t\uFFFD", "x").errContains("not UTF-8").errContains("put PATH -");
        expect(2, "get", "/t\uFFFD").errContains("not UTF-8");
        expect(2, "check-token", "/t", "seven").errContains("seven");
    }

    @Test
    void errorsAreJsonToo() throws IOException {
        Result missing = holdfast.run("get", "/none", "--output", "json");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.out()).isEmpty();
        assertThat(JSON.readTree(missing.err()).get("error").asText()).isEqualTo("NOT_FOUND");
        assertThat(JSON.readTree(missing.err()).get("exit").asInt()).isEqualTo(1);

        Result usage = holdfast.run("--output", "json", "get");
        assertThat(JSON.readTree(usage.err()).get("error").asText()).isEqualTo("USAGE");
    }

    @Test
    void helpAndVersion() {
        for (String command : Arrays.asList(
                "dev",
                "replica",
                "proxy",
                "lock",
                "elect",
                "leader",
                "watch",
                "get",
                "put",
                "rm",
                "ls",
                "stat",
                "acquire",
                "renew",
                "release",
                "inspect",
                "locks",
                "sessions",
                "status",
                "check-token",
                "break",
                "expire",
                "completion",
                "version")) {
            assertThat(holdfast.run(command, "--help").out()).as(command).contains("Examples:", "holdfast " + command);
        }
        for (String command : Arrays.asList("lock", "elect", "leader", "watch", "get", "locks", "sessions", "break")) {
            assertThat(holdfast.run(command, "--help").out()).as(command).contains("Exit status:");
        }
        expect(0, "--help").outContains("Exit status");
        expect(0, "version").outContains("holdfast 0.");
    }

    @Test
    void introspection() {
        JsonNode status = expect(0, "status", "--output", "json").json();
        assertThat(status.get("cell").asText()).isEqualTo("dev");
        assertThat(status.get("leader").asText()).startsWith("r");
        assertThat(status.get("term").asLong()).isPositive();
        assertThat(status.get("cells")).hasSize(20);
        JsonNode shard = status.get("cells").get(7);
        assertThat(shard.get("cell").asText()).isEqualTo("shard-07");
        assertThat(shard.get("leader").asText()).startsWith("r");
        assertThat(shard.get("replicas")).hasSize(3);
        assertThat(status.get("replicas")).hasSize(3);
        status.get("replicas")
                .forEach(replica -> assertThat(replica.fieldNames())
                        .toIterable()
                        .contains("replica", "role", "reachable", "appliedIndex", "digest"));

        Holdfast.Running holder = holdfast.start("lock", "/seen", "--", "sleep", "600");
        Holdfast.await("held", () -> holdfast.run("locks", "/seen").out().contains("held"));
        JsonNode lock = expect(0, "locks", "/seen", "--output", "json")
                .json()
                .get("locks")
                .get(0);
        String token = lock.get("holders").get(0).get("token").asText();
        long session = lock.get("holders").get(0).get("session").asLong();
        assertThat(lock.get("lock").asText()).isEqualTo("/seen");
        assertThat(expect(0, "sessions", "--output", "json")
                        .json()
                        .get("sessions")
                        .findValues("session"))
                .anyMatch(id -> id.asLong() == session);
        assertThat(expect(0, "sessions", "--output", "json").json().get("sessions"))
                .filteredOn(found -> found.get("session").asLong() == session)
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.get("waits")).isEmpty();
                    assertThat(found.get("holds").get(0).get("lock").asText()).isEqualTo("/seen");
                    assertThat(found.get("holds").get(0).get("token").asText()).isEqualTo(token);
                });
        expect(0, "check-token", "/seen", token).out("current\n");
        expect(1, "check-token", "/seen", "1");
        expect(1, "check-token", "leased", token).errContains("no present hold");
        expect(4, "lock", "/seen", "--try", "--", "true").errContains("held");
        expect(4, "lock", "/seen", "--timeout", "1s", "--", "true").errContains("held");
        // A lock in use is no value (C106).
        expect(1, "put", "/seen", "x").errContains("WRONG_KIND");
        holder.signal("TERM");
        assertThat(holder.await().status()).isEqualTo(143);
        expect(1, "check-token", "/seen", token);
    }

    @Test
    void withoutACellEveryCallEndsInTimeAndSaysWhatIsKnown() {
        String nobody = "127.0.0.1:" + DevProcess.freePorts();
        for (String[] command : new String[][] {
            {"get", "/a"},
            {"put", "/a", "x"},
            {"status"},
            {"lock", "/a", "--", "true"},
            {"lock", "/a", "--try", "--", "true"}
        }) {
            String[] words = Arrays.copyOf(command, command.length);
            String[] all = new String[words.length + 4];
            all[0] = "--endpoints";
            all[1] = nobody;
            all[2] = "--call-timeout";
            all[3] = "1s";
            System.arraycopy(words, 0, all, 4, words.length);
            Result result = holdfast.run(all);
            assertThat(result.status()).as(Arrays.toString(all)).isEqualTo(3);
            assertThat(result.err()).contains("not done").doesNotContain("\tat ");
            assertThat(result.took()).isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void theHttpPortTellsHealthAndAnswersInJson() throws Exception {
        assertThat(http("/livez").statusCode()).isEqualTo(200);
        assertThat(http("/readyz").statusCode()).isEqualTo(200);
        HttpResponse<String> cell = http("/v1/cell");
        assertThat(JSON.readTree(cell.body()).get("replicas")).hasSize(3);
        HttpResponse<String> nothing = http("/nothing");
        assertThat(nothing.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(nothing.body()).get("error").asText()).isEqualTo("NOT_FOUND");
    }

    @Test
    void theHttpPortTellsTheMetricsOfEachReplica() throws Exception {
        expect(0, "put", "/metrics/a", "one");
        HttpResponse<String> metrics = http("/metrics");
        assertThat(metrics.statusCode()).isEqualTo(200);
        assertThat(metrics.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
        for (String replica : new String[] {"r1", "r2", "r3"}) {
            for (String name : Metrics.NAMES) {
                assertThat(Metrics.value(metrics.body(), name, replica))
                        .as("%s of %s", name, replica)
                        .isNotNegative();
            }
        }
        assertThat(metrics.body()).contains("holdfast_has_leader{cell=\"dev\",replica=\"r1\"} 1");
    }

    private static HttpResponse<String> http(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(dev.http() + path))
                .timeout(Holdfast.PATIENCE)
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private static Expectation expect(int status, String... arguments) {
        Result result = holdfast.run(arguments);
        assertThat(result.status())
                .as("%s: %s", Arrays.toString(arguments), result.err())
                .isEqualTo(status);
        assertThat(result.err()).doesNotContain("\tat ").doesNotContain("Exception in");
        return new Expectation(result);
    }

    private record Expectation(Result result) {
        void out(String all) {
            assertThat(result.out()).isEqualTo(all);
        }

        void outContains(String part) {
            assertThat(result.out()).contains(part);
        }

        Expectation errContains(String part) {
            assertThat(result.err()).contains(part);
            return this;
        }

        JsonNode json() {
            try {
                return JSON.readTree(result.out());
            } catch (IOException broken) {
                throw new AssertionError(result.out(), broken);
            }
        }
    }
}
