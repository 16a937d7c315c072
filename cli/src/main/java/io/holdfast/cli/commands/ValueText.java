package io.holdfast.cli.commands;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bytes in a JSON document: {@code value} if they are UTF-8 text, else {@code valueBase64}. */
final class ValueText {
    private ValueText() {}

    static void put(byte[] bytes, Map<String, @Nullable Object> document) {
        try {
            document.put(
                    "value",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString());
        } catch (CharacterCodingException binary) {
            document.put("valueBase64", Base64.getEncoder().encodeToString(bytes));
        }
    }
}
