package io.holdfast.server.http;

import io.holdfast.server.http.wire.Json;
import io.holdfast.server.http.wire.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * A long list as JSON, {@code {"NAME":[…]}}, of which only the bytes are kept.
 *
 * <p><b>Thread:</b> one at a time.
 */
final class JsonList {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final LongConsumer reserve;
    private boolean begun;

    /** @param reserve told of more bytes before they are kept; refuses by throwing */
    JsonList(String name, LongConsumer reserve) {
        this.reserve = reserve;
        write(("{\"" + name + "\":[").getBytes(StandardCharsets.UTF_8));
    }

    void add(Object document) {
        byte[] entry = Json.compact(document);
        reserve.accept(entry.length + 1L);
        if (begun) {
            write(new byte[] {','});
        }
        begun = true;
        write(entry);
    }

    private void write(byte[] more) {
        bytes.write(more, 0, more.length);
    }

    Reply reply() {
        write("]}\n".getBytes(StandardCharsets.UTF_8));
        return new Reply(200, Reply.JSON, bytes.toByteArray(), Map.of());
    }
}
