package io.holdfast.storage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads pieces of a file, mostly in order, without a system call for each. */
final class FileWindow {
    private static final int WINDOW_BYTES = 256 << 10;

    private final DiskFile file;
    private final long sizeBytes;
    private final byte[] window;
    private long windowStart;
    private int windowLength;

    FileWindow(DiskFile file, long sizeBytes) {
        this.file = file;
        this.sizeBytes = sizeBytes;
        this.window = new byte[(int) Math.min(WINDOW_BYTES, sizeBytes)];
    }

    /** A copy of bytes that lie within the size the file had at the beginning. */
    byte[] read(long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        if (length > WINDOW_BYTES / 4) {
            fill(offset, bytes, length);
            return bytes;
        }
        if (offset < windowStart || offset + length > windowStart + windowLength) {
            load(offset);
        }
        System.arraycopy(window, (int) (offset - windowStart), bytes, 0, length);
        return bytes;
    }

    /** Whether nothing but zeros, or nothing, follows. */
    boolean isZeroFrom(long offset) throws IOException {
        for (long at = offset; at < sizeBytes; at += windowLength) {
            load(at);
            if (!LogFormat.isZero(window, 0, windowLength)) {
                return false;
            }
        }
        return true;
    }

    private void load(long offset) throws IOException {
        windowLength = 0;
        int length = (int) Math.min(WINDOW_BYTES, sizeBytes - offset);
        fill(offset, window, length);
        windowStart = offset;
        windowLength = length;
    }

    private void fill(long offset, byte[] into, int length) throws IOException {
        int read = file.read(offset, ByteBuffer.wrap(into, 0, length));
        if (read != length) {
            throw new EOFException("read " + read + " of " + length + " bytes at offset " + offset);
        }
    }
}
