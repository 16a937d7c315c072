package io.holdfast.cli.support;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON. A library would do the same and take longer to load than a short command runs.
 *
 * <p>Knows maps, lists, strings, booleans, whole numbers and null.
 */
public final class Json {
    private Json() {}

    /** An object with its fields in the given order: name, value, name, value, … */
    public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    /** The value on one line. */
    public static String write(@Nullable Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(@Nullable Object value, StringBuilder text) {
        if (value == null || value instanceof Boolean || value instanceof Long || value instanceof Integer) {
            text.append(value);
        } else if (value instanceof Map<?, ?> map) {
            text.append('{');
            for (Iterator<? extends Map.Entry<?, ?>> i = map.entrySet().iterator(); i.hasNext(); ) {
                Map.Entry<?, ?> entry = i.next();
                writeString(String.valueOf(entry.getKey()), text);
                text.append(':');
                write(entry.getValue(), text);
                text.append(i.hasNext() ? "," : "");
            }
            text.append('}');
        } else if (value instanceof List<?> list) {
            text.append('[');
            for (Iterator<?> i = list.iterator(); i.hasNext(); ) {
                write(i.next(), text);
                text.append(i.hasNext() ? "," : "");
            }
            text.append(']');
        } else {
            writeString(value.toString(), text);
        }
    }

    private static void writeString(String string, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ' || c == 0x7f || (Character.isSurrogate(c) && !isPaired(string, i))) {
                        text.append(String.format("\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    private static boolean isPaired(String string, int i) {
        return Character.isHighSurrogate(string.charAt(i))
                ? i + 1 < string.length() && Character.isLowSurrogate(string.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(string.charAt(i - 1));
    }
}
