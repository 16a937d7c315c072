package io.holdfast.bench.leases;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The leased locks' HTTP calls, over connections that are kept. Never repeats anything.
 *
 * <p><b>Thread:</b> any. Names and owners must need no escapes in JSON.
 */
final class LeaseCalls {
    static final int OK = 200;
    static final int HELD = 409;
    static final int UNAVAILABLE = 503;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int THREADS = 4;
    private static final Pattern TOKEN = Pattern.compile("\"token\"\\s*:\\s*(\\d+)");
    private static final Pattern OWNER = Pattern.compile("\"owner\"\\s*:\\s*\"([^\"]*)\"");

    /** An answer. */
    record Answer(int status, String body) {
        /** 0 if it names none. */
        long token() {
            Matcher matcher = TOKEN.matcher(body);
            return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
        }

        /** Empty if it names none. */
        String owner() {
            Matcher matcher = OWNER.matcher(body);
            return matcher.find() ? matcher.group(1) : "";
        }
    }

    private final List<String> servers;
    private final HttpClient client;

    /** @param addresses {@code host:port} of HTTP ports, separated by commas */
    LeaseCalls(String addresses) {
        servers = Arrays.stream(addresses.split(",", -1))
                .map(address -> "http://" + address)
                .toList();
        ExecutorService executor = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "http");
            thread.setDaemon(true);
            return thread;
        });
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .executor(executor)
                .build();
    }

    int servers() {
        return servers.size();
    }

    /** @param server by number; any number is some server's */
    CompletableFuture<Answer> acquire(int server, String name, String owner, long leaseMillis) {
        return post(
                server,
                "/v1/leases/acquire",
                "{\"name\":\"" + name + "\",\"owner\":\"" + owner + "\",\"leaseMillis\":" + leaseMillis + "}");
    }

    CompletableFuture<Answer> release(int server, String name, String owner, long token) {
        return post(
                server,
                "/v1/leases/release",
                "{\"name\":\"" + name + "\",\"owner\":\"" + owner + "\",\"token\":" + token + "}");
    }

    CompletableFuture<Answer> inspect(int server, String name) {
        return send(HttpRequest.newBuilder(
                uri(server, "/v1/leases?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8))));
    }

    private CompletableFuture<Answer> post(int server, String path, String json) {
        return send(HttpRequest.newBuilder(uri(server, path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    private URI uri(int server, String path) {
        return URI.create(servers.get(Math.floorMod(server, servers.size())) + path);
    }

    private CompletableFuture<Answer> send(HttpRequest.Builder request) {
        return client.sendAsync(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Answer(response.statusCode(), response.body()));
    }
}
