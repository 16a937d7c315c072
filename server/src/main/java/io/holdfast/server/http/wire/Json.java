package io.holdfast.server.http.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/** JSON as this port reads and writes it: UTF-8, one document, no field twice, nothing behind it. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    /**
     * The document with a line end behind it.
     *
     * @param document of maps, lists, strings, numbers, booleans and nulls
     */
    public static byte[] bytes(Object document) {
        byte[] plain = compact(document);
        byte[] line = java.util.Arrays.copyOf(plain, plain.length + 1);
        line[plain.length] = '\n';
        return line;
    }

    /** The same without the line end, for a part of a document. */
    public static byte[] compact(Object document) {
        try {
            return MAPPER.writeValueAsBytes(document);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** @throws Problem 400 naming the body if it is not one JSON document */
    static JsonNode read(byte[] body) {
        try {
            JsonNode read = MAPPER.readTree(body);
            if (read == null || read.isMissingNode()) {
                throw Problem.invalid("body", "is empty; a JSON object is expected");
            }
            return read;
        } catch (JsonProcessingException bad) {
            throw Problem.invalid("body", "is not JSON: " + firstLine(bad.getOriginalMessage()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
