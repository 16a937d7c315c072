package io.holdfast.server.http;

import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.server.http.wire.Call;
import io.holdfast.server.http.wire.Problem;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Checks of what callers name; a bad one is answered 400, and the field is named. Pure. */
final class Fields {
    /** Longest request id of a leased lock, in UTF-8 bytes. */
    static final int MAX_REQUEST_ID_BYTES = 128;

    private Fields() {}

    static NodePath path(String field, String path) {
        String problem = NodePath.problemWith(path);
        if (problem != null) {
            throw Problem.invalid(field, problem);
        }
        return new NodePath(path);
    }

    /** The path behind a prefix of an address, whose segments are percent-encoded each for itself. */
    static NodePath pathBehind(String prefix, Call call) {
        String raw = call.rawPath().substring(prefix.length());
        if (raw.length() <= 1) {
            throw Problem.invalid("path", "is missing: the root has no value");
        }
        StringBuilder decoded = new StringBuilder();
        for (String segment : raw.substring(1).split("/", -1)) {
            String name = Call.decodePathSegment(segment);
            if (name.indexOf('/') >= 0) {
                throw Problem.invalid("path", "has a '/' within a segment (%2F)");
            }
            decoded.append('/').append(name);
        }
        return path("path", decoded.toString());
    }

    /** The name of a leased lock. */
    static String leaseName(String field, String name) {
        if (name.startsWith("/")) {
            throw Problem.invalid(field, "starts with '/': that is a lock's path, not the name of a leased lock");
        }
        return text(field, name, Limits.MAX_NAME_BYTES);
    }

    static String text(String field, String text, int maxBytes) {
        int bytes = utf8Bytes(field, text);
        if (bytes < 1 || bytes > maxBytes) {
            throw Problem.invalid(field, "has " + bytes + " bytes of UTF-8, 1 to " + maxBytes + " are allowed");
        }
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw Problem.invalid(field, "has a control character");
        }
        return text;
    }

    private static int utf8Bytes(String field, String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return encoded.remaining();
        } catch (CharacterCodingException lone) {
            throw Problem.invalid(field, "is not valid Unicode");
        }
    }
}
