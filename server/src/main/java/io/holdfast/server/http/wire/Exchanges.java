package io.holdfast.server.http.wire;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests to those who answer them, and their replies back. Every request gets one reply, at the latest a little after its own
 * time.
 *
 * <p><b>Thread:</b> any.
 */
public final class Exchanges {
    /** What an answer may take beyond the request's time: who answers has bounded it already, and knows more of its outcome. */
    private static final long MARGIN_MILLIS = 1_000;

    private final Answers answers;
    private final HttpLimits limits;
    private final ConnectionWatch watch;
    private final HostNames hosts;
    private final MemoryBudget bodies;
    private final MemoryBudget replies;

    /**
     * Who answers.
     *
     * @param explaining turns whatever a route failed with into what the caller is told
     */
    public record Answers(RouteTable routes, Function<Throwable, Problem> explaining) {}

    /** @param hosts what the port may be called */
    Exchanges(Answers answers, HttpLimits limits, ConnectionWatch watch, HostNames hosts) {
        this.hosts = hosts;
        this.answers = answers;
        this.limits = limits;
        this.watch = watch;
        this.bodies = new MemoryBudget("request bodies", limits.bodyBytes());
        this.replies = new MemoryBudget("large answers", limits.replyBytes());
    }

    /** Completes, never with a failure, when the reply is sent or its reader is gone; the request must be asynchronous. */
    CompletableFuture<?> serve(HttpServletRequest request, HttpServletResponse response) {
        Connection connection = connectionOf(request);
        watch.requestBegins(connection);
        Call.Memory memory = new Call.Memory(bodies.share(), replies.share());
        boolean headOnly = request.getMethod().equals("HEAD");
        return answer(request, memory)
                .thenCompose(reply -> send(response, reply, headOnly))
                .handle((sent, gone) -> {
                    memory.releaseAll();
                    watch.requestEnds(connection);
                    if (gone != null) {
                        connection.getEndPoint().close();
                    }
                    return null;
                });
    }

    private CompletableFuture<Void> send(HttpServletResponse response, Reply reply, boolean headOnly) {
        return AsyncWrite.write(response, reply, headOnly).orTimeout(limits.sendMillis(), TimeUnit.MILLISECONDS);
    }

    private CompletableFuture<Reply> answer(HttpServletRequest request, Call.Memory memory) {
        Route route;
        CompletableFuture<Reply> asked;
        try {
            hosts.check(request);
            route = answers.routes().find(request.getMethod(), request.getRequestURI());
            Call call = new Call(request, route.allParameters(), memory);
            if (route.effect() == Route.Effect.CHANGES) {
                refuseOtherOrigins(request);
            }
            long millis = call.remaining().toMillis() + MARGIN_MILLIS;
            asked = route.answering().answer(call).orTimeout(millis, TimeUnit.MILLISECONDS);
        } catch (RuntimeException refused) {
            return CompletableFuture.completedFuture(explained(refused, null).reply());
        }
        return asked.exceptionally(problem -> explained(problem, route).reply());
    }

    /** A page that a browser got elsewhere must not act with what its user can reach. */
    private static void refuseOtherOrigins(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        String host = String.valueOf(request.getHeader("Host"));
        if (origin != null && !origin.equals("http://" + host) && !origin.equals("https://" + host)) {
            throw new Problem(403, "FORBIDDEN", "Origin: pages of another origin may not change anything here");
        }
    }

    private Problem explained(Throwable problem, @Nullable Route route) {
        Throwable cause = Call.causeOf(problem);
        if (cause instanceof Problem known) {
            return known;
        }
        if (cause instanceof TimeoutException && route != null) {
            Problem.Outcome outcome =
                    route.effect() == Route.Effect.NONE ? Problem.Outcome.DEFINITE : Problem.Outcome.UNKNOWN;
            return Problem.unavailable("no answer within the time of this request", outcome);
        }
        return answers.explaining().apply(cause);
    }

    private static Connection connectionOf(HttpServletRequest request) {
        return ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection();
    }
}
