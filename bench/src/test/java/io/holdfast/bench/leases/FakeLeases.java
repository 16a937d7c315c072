package io.holdfast.bench.leases;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers as the leased locks' routes do, or wrongly. */
final class FakeLeases implements AutoCloseable {
    /** What it does wrong. */
    enum Fault {
        NONE,
        GRANTS_TWICE,
        TOKENS_FALL,
        NOT_SERVED,
        UNAVAILABLE
    }

    static {
        System.setProperty(
                "sun.net.httpserver.nodelay", "true"); // else each answer waits for the client's acknowledgement
    }

    private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");

    private final Fault fault;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final Map<String, Long> held = new HashMap<>();
    private long next = 1_000;

    FakeLeases(Fault fault) throws IOException {
        this.fault = fault;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        Matcher name = NAME.matcher(body);
        String named = name.find()
                ? name.group(1)
                : String.valueOf(exchange.getRequestURI().getQuery()).replace("name=", "");
        int status = 200;
        String answer = "{}";
        synchronized (this) {
            if (fault == Fault.NOT_SERVED) {
                status = 404;
                answer = "{\"error\":\"NOT_FOUND\",\"message\":\"there is nothing at " + path + "\"}";
            } else if (fault == Fault.UNAVAILABLE) {
                status = 503;
                answer = "{\"error\":\"UNAVAILABLE\"}";
            } else if (path.endsWith("/acquire") && held.containsKey(named) && fault != Fault.GRANTS_TWICE) {
                status = 409;
                answer = "{\"error\":\"HELD\",\"retryAfterMillis\":10}";
            } else if (path.endsWith("/acquire")) {
                next += fault == Fault.TOKENS_FALL ? -1 : 1;
                held.put(named, next);
                answer = "{\"name\":\"" + named + "\",\"token\":" + next + ",\"leaseMillis\":10000}";
            } else if (path.endsWith("/release")) {
                held.remove(named);
            } else {
                answer = "{\"token\":" + held.get(named) + "}";
            }
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
