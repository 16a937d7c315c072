package io.holdfast.server.http;

import io.holdfast.model.Answer;
import io.holdfast.server.http.wire.Call;
import io.holdfast.server.http.wire.Problem;
import io.holdfast.server.http.wire.Reply;
import io.holdfast.server.http.wire.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /livez}, {@code /readyz}, {@code /metrics} and {@code /openapi.json}.
 *
 * <p>Live means that the process answers. Ready means that the cell and each shard answered a linearizable read just now, so each
 * has a leader and a majority. Metrics and the description depend on neither.
 *
 * <p><b>Thread:</b> any; waits for nothing.
 */
final class HealthRoutes {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(2);
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final String DESCRIPTION = "openapi.json";

    private final Supplier<Backend> backend;
    private final Supplier<String> metrics;
    private final byte[] description = description();
    /** The question to the cell that is out, for all who ask meanwhile. */
    private final AtomicReference<@Nullable CompletableFuture<Reply>> probing = new AtomicReference<>();

    HealthRoutes(Supplier<Backend> backend, Supplier<String> metrics) {
        this.backend = backend;
        this.metrics = metrics;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/livez", Set.of(), call -> done(Reply.text(200, Reply.TEXT, "live\n"))),
                Route.get("/readyz", Set.of(), this::ready),
                Route.get("/metrics", Set.of(), this::scraped),
                Route.get("/openapi.json", Set.of(), call -> done(new Reply(200, Reply.JSON, description, Map.of()))));
    }

    private CompletableFuture<Reply> scraped(Call call) {
        Reply reply = Reply.text(200, METRICS_TYPE, metrics.get());
        call.reserveForReply(reply.body().length);
        return done(reply);
    }

    /** However many ask, the cell is asked once at a time. */
    private CompletableFuture<Reply> ready(Call call) {
        return probe().copy().orTimeout(call.remaining().toNanos(), TimeUnit.NANOSECONDS);
    }

    private CompletableFuture<Reply> probe() {
        CompletableFuture<Reply> mine = new CompletableFuture<>();
        CompletableFuture<Reply> present = probing.compareAndExchange(null, mine);
        if (present != null) {
            return present;
        }
        CompletableFuture<Reply> asked;
        try {
            asked = backend.get()
                    .client()
                    .admin()
                    .callTimeout(READY_TIMEOUT)
                    .statusOfAllAsync()
                    .thenApply(HealthRoutes::readiness);
        } catch (RuntimeException refused) {
            asked = CompletableFuture.failedFuture(refused);
        }
        var unused = asked.whenComplete((reply, problem) -> {
            probing.set(null);
            if (reply != null) {
                mine.complete(reply);
            } else {
                mine.completeExceptionally(Call.causeOf(problem));
            }
        });
        return mine;
    }

    private static Reply readiness(Answer.Status status) {
        if (!status.isLed()) {
            throw Problem.unavailable("no leader answers of " + status.leaderless(), Problem.Outcome.DEFINITE);
        }
        return Reply.text(200, Reply.TEXT, "ready\n");
    }

    private static CompletableFuture<Reply> done(Reply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    private static byte[] description() {
        try (InputStream in = HealthRoutes.class.getResourceAsStream(DESCRIPTION)) {
            if (in == null) {
                throw new IllegalStateException(DESCRIPTION + " is not in this jar");
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
