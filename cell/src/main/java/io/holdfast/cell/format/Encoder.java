package io.holdfast.cell.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes fields into a growing buffer. Numbers are unsigned LEB128; those that may be negative are zigzagged first.
 *
 * <p><b>Thread:</b> one at a time.
 */
public final class Encoder {
    private byte[] buffer = new byte[256];
    private int size;

    public Encoder number(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            buffer[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[size++] = (byte) rest;
        return this;
    }

    public Encoder signed(long value) {
        return number(value << 1 ^ value >> 63);
    }

    public Encoder flag(boolean value) {
        return octet(value ? 1 : 0);
    }

    /** @param value 0 to 255 */
    public Encoder octet(int value) {
        reserve(1);
        buffer[size++] = (byte) value;
        return this;
    }

    public Encoder bytes(byte[] value) {
        number(value.length);
        reserve(value.length);
        System.arraycopy(value, 0, buffer, size, value.length);
        size += value.length;
        return this;
    }

    /** As UTF-8; a lone surrogate becomes a question mark. */
    public Encoder text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    public int size() {
        return size;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, size);
    }

    /** Writes what has been encoded and forgets it. */
    public void drainTo(OutputStream out) throws IOException {
        out.write(buffer, 0, size);
        size = 0;
    }

    private void reserve(int more) {
        if (more > buffer.length - size) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, Math.addExact(size, more)));
        }
    }
}
