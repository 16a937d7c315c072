package io.holdfast.server.http.wire;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Why a request is answered by an error: {@code {"error":"CODE","message":"…"}} and what else the caller needs to know. It has no
 * stack trace, and none reaches a caller.
 */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int RETRY_SECONDS = 1;

    /** Whether a call that failed may have been done. */
    public enum Outcome {
        DEFINITE,
        UNKNOWN
    }

    private final int status;
    private final String code;
    private final transient Map<String, Object> fields = new LinkedHashMap<>();
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    public Problem(int status, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    /** 400. The message and the member {@code field} name what is wrong: a field, a parameter, a header, {@code path} or {@code body}. */
    public static Problem invalid(String field, String what) {
        return new Problem(400, "INVALID", field + " " + what).with("field", field);
    }

    public static Problem notFound(String message) {
        return new Problem(404, "NOT_FOUND", message);
    }

    /** 503 with {@code Retry-After}: no leader, no majority, or none of them in time. */
    public static Problem unavailable(String message, Outcome outcome) {
        return new Problem(503, "UNAVAILABLE", message)
                .with("outcome", outcome.name().toLowerCase(java.util.Locale.ROOT))
                .header("Retry-After", Integer.toString(RETRY_SECONDS));
    }

    /** 503: this process has too much under way. Nothing was done. */
    public static Problem busy(String message) {
        return new Problem(503, "BUSY", message)
                .with("outcome", "definite")
                .header("Retry-After", Integer.toString(RETRY_SECONDS));
    }

    /** 413, and the connection ends, as what is left of the body is not read. */
    public static Problem tooLarge(String message) {
        return new Problem(413, "TOO_LARGE", message).with("field", "body");
    }

    /** One more member of the answer. */
    public Problem with(String field, Object value) {
        fields.put(field, value);
        return this;
    }

    public Problem header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    public int status() {
        return status;
    }

    public Reply reply() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("error", code);
        document.put("message", String.valueOf(getMessage()));
        document.putAll(fields);
        Reply reply = Reply.json(status, document);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            reply = reply.with(header.getKey(), header.getValue());
        }
        return reply;
    }
}
