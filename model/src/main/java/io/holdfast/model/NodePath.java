package io.holdfast.model;

import org.jspecify.annotations.Nullable;

/**
 * The absolute path of a node: starts with {@code /}, no empty, {@code .} or {@code ..} segment, no control character, at
 * most {@link Limits#MAX_PATH_BYTES} bytes of UTF-8. The root is {@code /}.
 *
 * <p>Ordered so that a node comes directly before everything below it.
 */
public record NodePath(String value) implements Comparable<NodePath> {
    public static final NodePath ROOT = new NodePath("/");

    /**
     * Checks the path.
     *
     * @throws IllegalArgumentException with a message that names the path and what is wrong with it
     */
    public NodePath {
        String problem = problemWith(value);
        if (problem != null) {
            throw new IllegalArgumentException("path '" + shown(value) + "' " + problem);
        }
    }

    /** What is wrong with a path, or null if it is good. */
    public static @Nullable String problemWith(String path) {
        if (path.isEmpty() || path.charAt(0) != '/') {
            return "must start with '/'";
        }
        int bytes = utf8Length(path);
        if (bytes < 0) {
            return "is not valid Unicode";
        }
        if (bytes > Limits.MAX_PATH_BYTES) {
            return "is longer than " + Limits.MAX_PATH_BYTES + " bytes";
        }
        return path.length() == 1 ? null : problemWithSegments(path);
    }

    private static @Nullable String problemWithSegments(String path) {
        int start = 1;
        for (int i = 1; i <= path.length(); i++) {
            if (i == path.length() || path.charAt(i) == '/') {
                if (i == start) {
                    return i == path.length() ? "must not end with '/'" : "has an empty segment";
                }
                if (isDots(path, start, i)) {
                    return "has a segment '" + path.substring(start, i) + "'";
                }
                start = i + 1;
            } else if (Character.isISOControl(path.charAt(i))) {
                return "has a control character at position " + i;
            }
        }
        return null;
    }

    private static boolean isDots(String path, int from, int to) {
        return to - from <= 2 && path.charAt(from) == '.' && path.charAt(to - 1) == '.';
    }

    /** The length in UTF-8 bytes, or -1 if the text has a lone surrogate. */
    static int utf8Length(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                return -1;
            }
        }
        return bytes;
    }

    private static String shown(String text) {
        String cut = text.length() > 80 ? text.substring(0, 80) + "…" : text;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }

    public boolean isRoot() {
        return value.length() == 1;
    }

    /** The path without its last segment; the root has none. */
    public @Nullable NodePath parent() {
        if (isRoot()) {
            return null;
        }
        int slash = value.lastIndexOf('/');
        return slash == 0 ? ROOT : new NodePath(value.substring(0, slash));
    }

    /** The last segment; empty for the root. */
    public String name() {
        return value.substring(value.lastIndexOf('/') + 1);
    }

    /** The path of a child. */
    public NodePath child(String name) {
        return new NodePath(isRoot() ? "/" + name : value + "/" + name);
    }

    /** Whether {@code other} lies below this path. */
    public boolean isAncestorOf(NodePath other) {
        return other.value.length() > value.length()
                && other.value.startsWith(value)
                && (isRoot() || other.value.charAt(value.length()) == '/');
    }

    @Override
    public int compareTo(NodePath other) {
        int length = Math.min(value.length(), other.value.length());
        for (int i = 0; i < length; i++) {
            char mine = value.charAt(i);
            char theirs = other.value.charAt(i);
            if (mine != theirs) {
                // '/' sorts before every other character, so a subtree is one contiguous range
                return mine == '/' ? -1 : theirs == '/' ? 1 : Character.compare(mine, theirs);
            }
        }
        return Integer.compare(value.length(), other.value.length());
    }

    @Override
    public String toString() {
        return value;
    }
}
