package io.holdfast.server.http;

import io.holdfast.client.HoldfastClient;
import io.holdfast.server.DevCell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A cell of one replica in this process, and a gateway to it whose leased locks are in memory. */
final class GatewayFixture implements AutoCloseable {
    private static final int ATTEMPTS = 50;
    private static final String HOST = "127.0.0.1";

    final DevCell cell;
    final MemoryLeases leases = new MemoryLeases();
    /** The gateway under test. */
    final HttpEndpoint endpoint;
    /** One whose cell is not formed. */
    final HttpEndpoint unformed;

    final Spec spec;
    private final HttpClient http = HttpClient.newHttpClient();

    GatewayFixture(Path directory) throws Exception {
        this.cell = startCell(directory);
        this.endpoint = HttpEndpoint.start(HOST, 0, () -> "metrics_of_the_process 1\n", HttpEndpoint.NOT_FORMED);
        this.endpoint.serve(client(), leases);
        this.unformed = HttpEndpoint.start(HOST, 0, () -> "", HttpEndpoint.NOT_FORMED);
        this.spec = new Spec(http.send(
                        request(endpoint, "GET", "/openapi.json", null).build(),
                        HttpResponse.BodyHandlers.ofByteArray())
                .body());
    }

    /** The port, the one after it and the one after that are free. */
    private static DevCell startCell(Path directory) {
        for (int attempt = 1; ; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try {
                return DevCell.start(new DevCell.Settings(directory, 1, port, 20), (say, why) -> {});
            } catch (RuntimeException taken) {
                if (attempt == ATTEMPTS) {
                    throw taken;
                }
            }
        }
    }

    HoldfastClient client() {
        return HoldfastClient.builder()
                .withoutCache()
                .endpoints(cell.settings().client().toString())
                .clientName("test")
                .build();
    }

    /** A port that nobody listens on. */
    static int deadPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return socket.getLocalPort();
        }
    }

    String base() {
        return "http://" + HOST + ":" + endpoint.port();
    }

    /** Any request; its answer is held against the description of the operation. */
    HttpResponse<byte[]> call(String operation, String pathAndQuery, byte[] body, String... headers) {
        return call(endpoint, operation, pathAndQuery, body, headers);
    }

    HttpResponse<byte[]> call(HttpEndpoint to, String operation, String pathAndQuery, byte[] body, String... headers) {
        String method = operation.substring(0, operation.indexOf(' '));
        HttpResponse<byte[]> response = send(to, method, pathAndQuery, body, headers);
        spec.saw(
                operation,
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.body());
        return response;
    }

    /** Any request, without a look at the description. */
    HttpResponse<byte[]> send(String method, String pathAndQuery, byte[] body, String... headers) {
        return send(endpoint, method, pathAndQuery, body, headers);
    }

    private HttpResponse<byte[]> send(
            HttpEndpoint to, String method, String pathAndQuery, byte[] body, String... headers) {
        HttpRequest.Builder request = request(to, method, pathAndQuery, body);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(method + " " + pathAndQuery, failed);
        }
    }

    private static HttpRequest.Builder request(HttpEndpoint to, String method, String pathAndQuery, byte[] body) {
        return HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + to.port() + pathAndQuery))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(60))
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Map<String, Object> map(HttpResponse<byte[]> response) {
        return new com.fasterxml.jackson.databind.ObjectMapper()
                .convertValue(
                        Spec.read(response.body()),
                        new com.fasterxml.jackson.core.type.TypeReference<Map<String, Object>>() {});
    }

    @Override
    public void close() {
        unformed.close();
        endpoint.close();
        cell.close();
    }
}
