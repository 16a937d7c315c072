package io.holdfast.cli.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cell of {@code holdfast replica} processes on the loopback interface, named r1, r2 and so on. */
final class ReplicaCell {
    private static final int PORTS_EACH = 3;
    private static final String LOOPBACK = "127.0.0.1";

    private final Holdfast holdfast;
    private final Path directory;
    private final String host;
    private final int size;
    private final int firstPort;
    private final Map<Integer, Holdfast.Running> running = new TreeMap<>();

    /**
     * Nothing is started yet.
     *
     * @param firstPort each replica takes three: clients, HTTP, peers
     */
    ReplicaCell(Holdfast holdfast, Path directory, int size, int firstPort) {
        this(holdfast, directory, LOOPBACK, size, firstPort);
    }

    /** @param host that all of them listen on, as it stands before a port */
    ReplicaCell(Holdfast holdfast, Path directory, String host, int size, int firstPort) {
        this.holdfast = holdfast;
        this.directory = directory;
        this.host = host;
        this.size = size;
        this.firstPort = firstPort;
    }

    static int freePorts(int size) {
        return DevProcess.freePorts(PORTS_EACH * size);
    }

    /** Client ports of all replicas. */
    static String endpoints(int size, int firstPort) {
        return endpoints(LOOPBACK, size, firstPort);
    }

    static String endpoints(String host, int size, int firstPort) {
        return IntStream.rangeClosed(1, size)
                .mapToObj(number -> host + ":" + (firstPort + PORTS_EACH * (number - 1)))
                .collect(Collectors.joining(","));
    }

    private int port(int number, int which) {
        return firstPort + PORTS_EACH * (number - 1) + which;
    }

    private String address(int number, int which) {
        return host + ":" + port(number, which);
    }

    Path data(int number) {
        return directory.resolve("r" + number);
    }

    Holdfast.Running start(int number) {
        return start(number, Map.of());
    }

    /** Starts a replica with these variables too. */
    Holdfast.Running start(int number, Map<String, String> environment) {
        return start(number, environment, members());
    }

    /** As the replicas are told it. */
    String members() {
        return IntStream.rangeClosed(1, size)
                .mapToObj(each -> "r" + each + "=" + address(each, 2))
                .collect(Collectors.joining(","));
    }

    /** Starts a replica with a member list of its own. */
    Holdfast.Running start(int number, Map<String, String> environment, String members) {
        List<String> arguments = new ArrayList<>(List.of("replica", "--cell", "main", "--replica", "r" + number));
        arguments.addAll(List.of("--data-dir", data(number).toString(), "--members", members));
        arguments.addAll(List.of("--listen.client", address(number, 0), "--listen.http", address(number, 1)));
        arguments.addAll(List.of("--listen.peer", address(number, 2)));
        Holdfast.Running process = holdfast.startWith(environment, arguments.toArray(String[]::new));
        running.put(number, process);
        return process;
    }

    /** Starts all and waits until each says that it serves. */
    ReplicaCell startAll() {
        return startAll(number -> Map.of());
    }

    ReplicaCell startAll(IntFunction<Map<String, String>> environment) {
        for (int number = 1; number <= size; number++) {
            start(number, environment.apply(number));
        }
        for (int number = 1; number <= size; number++) {
            awaitReady(number);
        }
        return this;
    }

    void awaitReady(int number) {
        Holdfast.await(
                "r" + number + " ready",
                () -> process(number).requireRunning()
                        && process(number).stdout().contains("ready: ")
                        && http(number, "/readyz").statusCode() == 200);
    }

    Holdfast.Running process(int number) {
        return running.get(number);
    }

    /** Lines that a replica logged and that have this in them. */
    List<String> logged(int number, String part) {
        return process(number)
                .stderr()
                .lines()
                .filter(line -> line.contains(part))
                .toList();
    }

    void kill(int number) {
        process(number).signal("KILL");
        process(number).await();
    }

    /** The replica that leads and serves, by its own word; waits for one. */
    int leader() {
        int[] found = new int[1];
        Holdfast.await("a leader", () -> {
            found[0] = IntStream.rangeClosed(1, size)
                    .filter(number -> running.containsKey(number)
                            && process(number).process().isAlive()
                            && metric(number, "holdfast_is_leader") == 1)
                    .findFirst()
                    .orElse(0);
            return found[0] > 0;
        });
        return found[0];
    }

    HttpResponse<String> http(int number, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address(number, 1) + path))
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

    /** Whether the HTTP port is open yet. */
    boolean answers(int number) {
        try {
            http(number, "/livez");
            return true;
        } catch (AssertionError notYet) {
            return false;
        }
    }

    /** The sum of all series of a metric of a replica, without those of shards; -1 if there is none. */
    double metric(int number, String name) {
        return Metrics.value(http(number, "/metrics").body(), name, "r" + number);
    }
}
