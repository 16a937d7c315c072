package io.holdfast.server.http.wire;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One request, as those see it who answer it.
 *
 * <p><b>Thread:</b> any, one at a time.
 */
public final class Call {
    /** The query parameter that bounds how long a request may take, in milliseconds. */
    public static final String TIMEOUT_PARAMETER = "timeoutMillis";

    public static final long DEFAULT_TIMEOUT_MILLIS = 10_000;
    public static final long MAX_TIMEOUT_MILLIS = 60_000;

    private final HttpServletRequest request;
    private final Map<String, String> parameters;
    private final Memory memory;
    private final long deadlineNanos;

    /** What a call may keep, given back when it has been answered. */
    record Memory(MemoryBudget.Share body, MemoryBudget.Share reply) {
        void releaseAll() {
            body.releaseAll();
            reply.releaseAll();
        }
    }

    /** @throws Problem 400 if the query cannot be read, or a parameter is not among these */
    Call(HttpServletRequest request, Set<String> known, Memory memory) {
        this.request = request;
        this.memory = memory;
        this.parameters = QueryText.parse(request.getQueryString());
        for (String name : parameters.keySet()) {
            if (!known.contains(name)) {
                throw Problem.invalid(name, "is no parameter of this request");
            }
        }
        this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis());
    }

    private long timeoutMillis() {
        String given = parameters.get(TIMEOUT_PARAMETER);
        if (given == null) {
            return DEFAULT_TIMEOUT_MILLIS;
        }
        try {
            long millis = Long.parseLong(given);
            if (millis >= 1 && millis <= MAX_TIMEOUT_MILLIS) {
                return millis;
            }
        } catch (NumberFormatException noNumber) {
            // refused below
        }
        throw Problem.invalid(TIMEOUT_PARAMETER, "must be a whole number from 1 to " + MAX_TIMEOUT_MILLIS);
    }

    /** As it was sent, not decoded. */
    public String rawPath() {
        return request.getRequestURI();
    }

    /** A decoded parameter of the query. */
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** @throws Problem 400 if there is none */
    public String requiredParameter(String name) {
        return parameter(name).orElseThrow(() -> Problem.invalid(name, "is missing: add ?" + name + "=…"));
    }

    /** Decodes a part of the path. */
    public static String decodePathSegment(String raw) {
        return PercentText.decode("path", raw, false);
    }

    /** All values of a header, each as it was sent. */
    public List<String> headers(String name) {
        return new ArrayList<>(Collections.list(request.getHeaders(name)));
    }

    /** What is left of the time that this request may take, at least 1 ms. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), deadlineNanos - System.nanoTime()));
    }

    /**
     * The body. To be asked for once.
     *
     * @return fails with a {@link Problem}: 413, 408 if it does not come within the time of this request, 400 if it breaks off
     */
    public CompletableFuture<byte[]> body(int limitBytes) {
        return AsyncBody.read(request, limitBytes, memory.body())
                .orTimeout(remaining().toNanos(), TimeUnit.NANOSECONDS)
                .exceptionally(problem -> {
                    Throwable cause = causeOf(problem);
                    if (cause instanceof TimeoutException) {
                        throw AsyncBody.late();
                    }
                    throw cause instanceof Problem known ? known : new CompletionException(cause);
                });
    }

    /**
     * For a large answer: so many more bytes of it are kept until it is sent, or fewer if negative.
     *
     * @throws Problem 503 BUSY if this server keeps too many already
     */
    public void reserveForReply(long bytes) {
        memory.reply().reserve(bytes);
    }

    /** What made a future fail, without what the futures in between wrapped it in. */
    public static Throwable causeOf(Throwable problem) {
        Throwable cause = problem.getCause();
        return problem instanceof CompletionException && cause != null ? causeOf(cause) : problem;
    }
}
