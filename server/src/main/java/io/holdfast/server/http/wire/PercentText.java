package io.holdfast.server.http.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-encoded UTF-8, read strictly: what does not decode is refused, never guessed. Pure. */
final class PercentText {
    private PercentText() {}

    /**
     * Decodes.
     *
     * @param plusIsSpace as in queries
     * @throws Problem 400 naming the field
     */
    static String decode(String field, String text, boolean plusIsSpace) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(hex(field, text, i + 1) << 4 | hex(field, text, i + 2));
                i += 2;
            } else if (c == '+' && plusIsSpace) {
                bytes.write(' ');
            } else if (c > 0x7f) {
                throw Problem.invalid(field, "has a character that is not percent-encoded");
            } else {
                bytes.write(c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException bad) {
            throw Problem.invalid(field, "is not percent-encoded UTF-8");
        }
    }

    private static int hex(String field, String text, int at) {
        int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
        if (digit < 0 || text.charAt(at) > 0x7f) {
            throw Problem.invalid(field, "has a '%' without two hexadecimal digits");
        }
        return digit;
    }
}
