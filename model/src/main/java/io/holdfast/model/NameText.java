package io.holdfast.model;

import org.jspecify.annotations.Nullable;

/** What names, owners and request ids of leased locks have in common. */
final class NameText {
    private static final int SHOWN_CHARS = 80;

    private NameText() {}

    /** What is wrong with a text, or null: not empty, so many bytes of UTF-8, no control character. */
    static @Nullable String problemWith(String text, int maxBytes) {
        if (text.isEmpty()) {
            return "is empty";
        }
        int bytes = NodePath.utf8Length(text);
        if (bytes < 0) {
            return "is not valid Unicode";
        }
        if (bytes > maxBytes) {
            return "has " + bytes + " bytes of UTF-8, at most " + maxBytes + " are allowed";
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return "has a control character at position " + i;
            }
        }
        return null;
    }

    /** For messages. */
    static String shown(String text) {
        String cut = text.length() > SHOWN_CHARS ? text.substring(0, SHOWN_CHARS) + "…" : text;
        return "'" + cut.replaceAll("\\p{Cntrl}", "?") + "'";
    }
}
