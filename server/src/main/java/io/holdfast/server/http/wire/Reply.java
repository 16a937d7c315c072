package io.holdfast.server.http.wire;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer, whole and ready to be sent.
 *
 * @param contentType empty if there is no body
 * @param headers beside the content's type and length
 */
public record Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
    public static final String JSON = "application/json";
    public static final String BYTES = "application/octet-stream";
    public static final String TEXT = "text/plain; charset=utf-8";

    /** @param document as {@link Json#bytes} takes it */
    public static Reply json(int status, Object document) {
        return new Reply(status, JSON, Json.bytes(document), Map.of());
    }

    public static Reply text(int status, String contentType, String text) {
        return new Reply(status, contentType, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    public static Reply empty(int status) {
        return new Reply(status, "", new byte[0], Map.of());
    }

    public Reply with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Reply(status, contentType, body, more);
    }
}
