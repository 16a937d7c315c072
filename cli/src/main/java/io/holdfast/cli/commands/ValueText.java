package io.holdfast.cli.commands;

import io.holdfast.server.http.PlaceDocuments;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bytes in a JSON document: {@code value} if they are UTF-8 text, else {@code valueBase64}. */
final class ValueText {
    private ValueText() {}

    static void put(byte[] bytes, Map<String, @Nullable Object> document) {
        PlaceDocuments.putText(bytes, document);
    }
}
