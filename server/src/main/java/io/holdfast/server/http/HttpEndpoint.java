package io.holdfast.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.model.Answer;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /livez}, {@code /readyz}, {@code /metrics} and {@code /v1/cell}; everything else is answered by an error in
 * JSON.
 *
 * <p>Live means that the process answers. Ready means that the cell and each shard answered a linearizable read just now, so
 * each has a leader and a majority; before {@link #serve} nothing is ready. Metrics depend on neither.
 *
 * <p><b>Thread:</b> one starts and stops it. Requests wait for the cell without holding a thread.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpEndpoint.class);
    private static final int MAX_THREADS = 16;
    private static final int MIN_THREADS = 1;
    private static final int RETRY_SECONDS = 1;
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final String NOT_FORMED =
            "the cell is not formed yet: its first start takes all of its members; the log" + " says for whom it waits";

    private final Supplier<String> metrics;
    private final ObjectMapper json = new ObjectMapper();
    private final Javalin app;
    private volatile @Nullable HoldfastClient client;
    private volatile boolean closed;

    private HttpEndpoint(Supplier<String> metrics) {
        this.metrics = metrics;
        this.app = Javalin.create(HttpEndpoint::configure);
        app.get("/livez", context -> context.contentType("text/plain").result("live\n"));
        app.get("/readyz", this::ready);
        app.get("/metrics", this::metrics);
        app.get("/v1/cell", this::cell);
        app.exception(HoldfastException.class, this::unavailable);
        app.exception(HttpResponseException.class, this::refused);
        app.exception(Exception.class, this::failed);
        app.error(404, context -> {
            if (isBare(context)) {
                error(context, 404, "NOT_FOUND", "there is nothing at " + context.path());
            }
        });
    }

    /**
     * Listens.
     *
     * @param metrics in the text form of Prometheus; asked on any thread
     * @throws RuntimeException if the port cannot be used
     */
    public static HttpEndpoint start(String host, int port, Supplier<String> metrics) {
        HttpEndpoint endpoint = new HttpEndpoint(metrics);
        endpoint.app.start(host, port);
        return endpoint;
    }

    /**
     * The cell is formed and can be asked.
     *
     * @param asking asks it; closed with the endpoint
     */
    public void serve(HoldfastClient asking) {
        client = asking;
        if (closed) {
            asking.close();
        }
    }

    private static void configure(JavalinConfig config) {
        config.showJavalinBanner = false;
        config.startupWatcherEnabled = false;
        config.jetty.threadPool = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    }

    private void ready(Context context) {
        ask(context, status -> {
            if (status.isLed()) {
                context.contentType("text/plain").result("ready\n");
            } else {
                context.header("Retry-After", Integer.toString(RETRY_SECONDS));
                Map<String, Object> body = body("UNAVAILABLE", "no leader answers of " + status.leaderless());
                body.put("definite", true);
                write(context, 503, body);
            }
        });
    }

    private void cell(Context context) {
        ask(context, status -> write(context, 200, CellDocument.of(status)));
    }

    private void ask(Context context, Consumer<Answer.Status> then) {
        HoldfastClient asking = client;
        if (asking == null) {
            context.header("Retry-After", Integer.toString(RETRY_SECONDS));
            Map<String, Object> body = body("UNAVAILABLE", NOT_FORMED);
            body.put("definite", true);
            write(context, 503, body);
        } else {
            context.future(() -> asking.admin().statusOfAllAsync().thenAccept(then));
        }
    }

    private void metrics(Context context) {
        context.contentType(METRICS_TYPE).result(metrics.get());
    }

    private void unavailable(HoldfastException problem, Context context) {
        context.header("Retry-After", Integer.toString(RETRY_SECONDS));
        Map<String, Object> body = body("UNAVAILABLE", String.valueOf(problem.getMessage()));
        body.put("definite", problem.outcome() == HoldfastException.Outcome.DEFINITE_NOT_DONE);
        write(context, 503, body);
    }

    private void refused(HttpResponseException problem, Context context) {
        String code = switch (problem.getStatus()) {
            case 404 -> "NOT_FOUND";
            case 405 -> "METHOD_NOT_ALLOWED";
            case 413 -> "TOO_LARGE";
            default -> "INVALID";
        };
        error(context, problem.getStatus(), code, String.valueOf(problem.getMessage()));
    }

    private void failed(Exception problem, Context context) {
        Throwable cause = problem instanceof CompletionException ? problem.getCause() : problem;
        if (cause instanceof HoldfastException known) {
            unavailable(known, context);
        } else {
            log.error("HTTP {} {} failed: {}", context.method(), context.path(), problem.toString());
            error(context, 500, "INTERNAL", "the request failed; the server's log says why");
        }
    }

    private static boolean isBare(Context context) {
        String type = context.res().getContentType();
        return type == null || !type.startsWith("application/json");
    }

    private void error(Context context, int status, String code, String message) {
        write(context, status, body(code, message));
    }

    private static Map<String, Object> body(String code, String message) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", code);
        body.put("message", message);
        return body;
    }

    private void write(Context context, int status, Object document) {
        try {
            context.status(status).contentType("application/json").result(json.writeValueAsString(document) + "\n");
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        app.stop();
        closed = true;
        HoldfastClient asking = client;
        if (asking != null) {
            asking.close();
        }
    }
}
