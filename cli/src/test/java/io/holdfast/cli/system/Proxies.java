package io.holdfast.cli.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** {@code holdfast proxy} processes in front of a cell, numbered from 1. */
final class Proxies {
    private static final int PORTS_EACH = 2;

    private final Holdfast holdfast;
    private final String upstream;
    private final int firstPort;
    private final Map<Integer, Holdfast.Running> running = new TreeMap<>();

    /**
     * Nothing is started yet.
     *
     * @param upstream client ports of the replicas
     * @param firstPort each proxy takes two: clients, HTTP
     */
    Proxies(Holdfast holdfast, String upstream, int firstPort) {
        this.holdfast = holdfast;
        this.upstream = upstream;
        this.firstPort = firstPort;
    }

    static int freePorts(int count) {
        return DevProcess.freePorts(PORTS_EACH * count);
    }

    String endpoint(int number) {
        return "127.0.0.1:" + (firstPort + PORTS_EACH * (number - 1));
    }

    /** Client ports of the first so many. */
    static String endpoints(int count, int firstPort) {
        return IntStream.range(0, count)
                .mapToObj(each -> "127.0.0.1:" + (firstPort + PORTS_EACH * each))
                .collect(Collectors.joining(","));
    }

    Holdfast.Running start(int number) {
        int port = firstPort + PORTS_EACH * (number - 1);
        Holdfast.Running process = holdfast.start(
                "proxy",
                "--upstream",
                upstream,
                "--listen.client",
                "127.0.0.1:" + port,
                "--listen.http",
                "127.0.0.1:" + (port + 1));
        running.put(number, process);
        return process;
    }

    void awaitReady(int number) {
        Holdfast.await(
                "proxy " + number + " ready",
                () -> process(number).requireRunning()
                        && process(number).stdout().contains("ready: endpoint=" + endpoint(number))
                        && http(number, "/readyz").statusCode() == 200);
    }

    Holdfast.Running process(int number) {
        return running.get(number);
    }

    HttpResponse<String> http(int number, String path) {
        int port = firstPort + PORTS_EACH * (number - 1) + 1;
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .build();
        try {
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** The sum of all series of a metric, -1 if there is none. */
    double metric(int number, String name) {
        double sum = -1;
        for (String line : http(number, "/metrics").body().lines().toList()) {
            if (line.startsWith(name + "{")) {
                sum = Math.max(sum, 0) + Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        return sum;
    }
}
