package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP API of a cell of five processes, by a public HTTP client: any replica answers, and none lies without a majority. */
final class HttpGatewayIT {
    private static final int SIZE = 5;
    private static final int PORTS_EACH = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private Holdfast holdfast;
    private ReplicaCell cell;
    private int firstPort;

    @BeforeEach
    void start() {
        firstPort = ReplicaCell.freePorts(SIZE);
        holdfast = new Holdfast(directory, ReplicaCell.endpoints(SIZE, firstPort));
        cell = new ReplicaCell(holdfast, directory, SIZE, firstPort).startAll();
    }

    @AfterEach
    void stop() {
        holdfast.close();
    }

    private HttpRequest request(int number, String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + (firstPort + PORTS_EACH * (number - 1) + 1) + path))
                .timeout(Duration.ofSeconds(60))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    private HttpResponse<String> send(int number, String method, String path, String body, String... headers) {
        try {
            return http.send(request(number, method, path, body, headers), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body());
    }

    @Test
    void anyReplicaAnswersAndNoneWithoutAMajority() throws Exception {
        assertThat(send(1, "PUT", "/v1/values/config/flag", "0").statusCode()).isEqualTo(201);
        for (int number = 1; number <= SIZE; number++) {
            HttpResponse<String> read = send(number, "GET", "/v1/values/config/flag", "");
            assertThat(read.body()).isEqualTo(Integer.toString(number - 1));
            String version = read.headers().firstValue("ETag").orElseThrow();
            int next = number % SIZE + 1;
            assertThat(send(next, "PUT", "/v1/values/config/flag", Integer.toString(number), "If-Match", version)
                            .statusCode())
                    .isEqualTo(200);
        }
        oneOfManyWins();
        locksAreSeenEverywhere();

        int leader = cell.leader();
        cell.kill(leader);
        int other = leader % SIZE + 1;
        Holdfast.await(
                "a write after the leader's death",
                () -> send(other, "PUT", "/v1/values/after", "x").statusCode() < 300);
        int third = other % SIZE + 1;
        int fourth = third % SIZE + 1;
        cell.kill(third);
        cell.kill(fourth);
        withoutAMajority(other);
    }

    /** Compare-and-set through all replicas at once. */
    private void oneOfManyWins() {
        List<CompletableFuture<HttpResponse<String>>> writes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            writes.add(http.sendAsync(
                    request(i % SIZE + 1, "PUT", "/v1/values/once", "writer " + i, "If-None-Match", "*"),
                    HttpResponse.BodyHandlers.ofString()));
        }
        List<Integer> statuses =
                writes.stream().map(write -> write.join().statusCode()).toList();
        assertThat(statuses).containsOnlyOnce(201).allMatch(status -> status == 201 || status == 412);
    }

    private void locksAreSeenEverywhere() throws Exception {
        try (HoldfastClient client = HoldfastClient.connect(ReplicaCell.endpoints(SIZE, firstPort));
                LockHold hold = client.lock("/jobs/reindex").acquire()) {
            for (int number = 1; number <= SIZE; number++) {
                JsonNode lock = json(send(number, "GET", "/v1/locks?prefix=/jobs", ""))
                        .get("locks")
                        .get(0);
                long token = lock.get("holders").get(0).get("token").longValue();
                assertThat(token).isEqualTo(hold.token().value());
                String question = "{\"name\":\"/jobs/reindex\",\"token\":" + token + "}";
                assertThat(json(send(number, "POST", "/v1/tokens/check", question))
                                .get("current")
                                .booleanValue())
                        .isTrue();
                assertThat(json(send(number, "GET", "/v1/sessions", "")).get("sessions"))
                        .isNotEmpty();
                assertThat(json(send(number, "GET", "/v1/cell", "")).get("replicas"))
                        .hasSize(SIZE);
            }
        }
    }

    private void withoutAMajority(int number) throws IOException {
        HttpResponse<String> read = send(number, "GET", "/v1/values/config/flag?timeoutMillis=3000", "");
        assertThat(read.statusCode()).isEqualTo(503);
        assertThat(json(read).get("error").textValue()).isEqualTo("UNAVAILABLE");
        assertThat(json(read).get("outcome").textValue()).isEqualTo("definite");
        assertThat(read.headers().firstValue("Retry-After")).isPresent();
        HttpResponse<String> write = send(number, "PUT", "/v1/values/config/flag?timeoutMillis=3000", "x");
        assertThat(write.statusCode()).isEqualTo(503);
        assertThat(json(write).get("outcome").textValue()).isIn("definite", "unknown");
        assertThat(send(number, "GET", "/livez", "").statusCode()).isEqualTo(200);
        assertThat(send(number, "GET", "/readyz", "").statusCode()).isEqualTo(503);
    }
}
