package io.holdfast.protocol.codec;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.WatchKind;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Single fields of messages, checked. */
public final class Fields {
    /** The protocol version that this code speaks. */
    public static final int VERSION = 1;

    private Fields() {}

    /** Refuses an envelope of another protocol version. */
    public static void checkVersion(int version) throws MalformedFrameException {
        if (version != VERSION) {
            throw MalformedFrameException.invalid(
                    "version", version + " is not understood here; this side speaks version " + VERSION);
        }
    }

    /** Wraps without a copy: nobody changes the arrays of frames. */
    public static ByteString wrap(byte[] bytes) {
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    /** The bytes of a parsed field: its own array if it fills one, else a copy. */
    public static byte[] unwrap(ByteString bytes) {
        if (bytes.isEmpty()) {
            return new byte[0];
        }
        Capture capture = new Capture(bytes.size());
        try {
            UnsafeByteOperations.unsafeWriteTo(bytes, capture);
        } catch (IOException e) {
            throw new AssertionError("writing to memory failed", e);
        }
        return capture.bytes;
    }

    static NodePath path(String field, String text) throws MalformedFrameException {
        String problem = NodePath.problemWith(text);
        if (problem != null) {
            ErrorCode code = text.length() > Limits.MAX_PATH_BYTES ? ErrorCode.TOO_LARGE : ErrorCode.INVALID;
            throw new MalformedFrameException(field, code, "path '" + shown(text) + "' " + problem);
        }
        return new NodePath(text);
    }

    static byte[] value(String field, ByteString bytes) throws MalformedFrameException {
        if (bytes.size() > Limits.MAX_VALUE_BYTES) {
            throw new MalformedFrameException(
                    field,
                    ErrorCode.TOO_LARGE,
                    "value of " + bytes.size() + " bytes is over the limit of " + Limits.MAX_VALUE_BYTES + " bytes");
        }
        return unwrap(bytes);
    }

    static byte[] secret(String field, ByteString bytes) throws MalformedFrameException {
        if (bytes.size() != Limits.SECRET_BYTES) {
            throw MalformedFrameException.invalid(
                    field, "a secret has " + Limits.SECRET_BYTES + " bytes, not " + bytes.size());
        }
        return unwrap(bytes);
    }

    /** Text of at most so many bytes of UTF-8. */
    static String text(String field, ByteString utf8, int maxBytes) throws MalformedFrameException {
        if (utf8.size() > maxBytes) {
            throw new MalformedFrameException(
                    field,
                    ErrorCode.TOO_LARGE,
                    "text of " + utf8.size() + " bytes is over the limit of " + maxBytes + " bytes");
        }
        return utf8.toStringUtf8();
    }

    static long id(String field, long id) throws MalformedFrameException {
        if (id <= 0) {
            throw MalformedFrameException.invalid(field, "ids start at 1, this is " + id);
        }
        return id;
    }

    static int pageLimit(String field, int limit) throws MalformedFrameException {
        if (limit < 1 || limit > Limits.MAX_PAGE_ENTRIES) {
            throw MalformedFrameException.invalid(field, limit + " is not within 1 and " + Limits.MAX_PAGE_ENTRIES);
        }
        return limit;
    }

    static LockMode lockMode(String field, int code) throws MalformedFrameException {
        try {
            return LockMode.of(code);
        } catch (IllegalArgumentException e) {
            throw MalformedFrameException.invalid(field, "unknown lock mode " + code);
        }
    }

    static WatchKind watchKind(String field, int code) throws MalformedFrameException {
        try {
            return WatchKind.of(code);
        } catch (IllegalArgumentException e) {
            throw MalformedFrameException.invalid(field, "unknown kind of watch " + code);
        }
    }

    static NodeKind nodeKind(String field, int code) throws MalformedFrameException {
        try {
            return NodeKind.of(code);
        } catch (IllegalArgumentException e) {
            throw MalformedFrameException.invalid(field, "unknown node kind " + code);
        }
    }

    static MalformedFrameException missing(String field) {
        return MalformedFrameException.invalid(field, "missing, or from a newer version");
    }

    private static String shown(String text) {
        String cut = text.length() > 80 ? text.substring(0, 80) + "…" : text;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }

    /** Takes over the array behind a byte string. */
    private static final class Capture extends ByteOutput {
        private byte[] bytes = new byte[0];
        private final int expected;
        private int filled;

        Capture(int expected) {
            this.expected = expected;
        }

        private void add(byte[] source, int offset, int length, boolean mayKeep) {
            if (mayKeep && offset == 0 && length == expected && source.length == expected) {
                bytes = source;
                return;
            }
            if (bytes.length != expected) {
                bytes = new byte[expected];
            }
            System.arraycopy(source, offset, bytes, filled, length);
            filled += length;
        }

        @Override
        public void write(byte value) {
            add(new byte[] {value}, 0, 1, false);
        }

        @Override
        public void write(byte[] value, int offset, int length) {
            add(value, offset, length, false);
        }

        @Override
        public void writeLazy(byte[] value, int offset, int length) {
            add(value, offset, length, true);
        }

        @Override
        public void write(ByteBuffer value) {
            byte[] copy = new byte[value.remaining()];
            value.get(copy);
            add(copy, 0, copy.length, false);
        }

        @Override
        public void writeLazy(ByteBuffer value) {
            write(value);
        }
    }
}
