package io.holdfast.cell.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A 64-bit hash of a sequence of fields, the same in every JVM; for the state digest, not against an attacker.
 *
 * <p>Every variable-length field is followed by its length, so that no two sequences of fields run together.
 */
public final class Hash64 {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private long state;

    public Hash64(long seed) {
        state = mix(seed);
    }

    public Hash64 add(long value) {
        state = mix(state ^ value);
        return this;
    }

    public Hash64 add(boolean value) {
        return add(value ? 1L : 0L);
    }

    public Hash64 add(String text) {
        for (int i = 0; i < text.length(); i += 4) {
            long four = 0;
            for (int j = i; j < Math.min(i + 4, text.length()); j++) {
                four = four << 16 | text.charAt(j);
            }
            add(four);
        }
        return add(text.length());
    }

    public Hash64 add(byte[] bytes) {
        int whole = bytes.length & ~7;
        for (int i = 0; i < whole; i += 8) {
            add((long) LONGS.get(bytes, i));
        }
        long rest = 0;
        for (int i = whole; i < bytes.length; i++) {
            rest = rest << 8 | (bytes[i] & 0xff);
        }
        return add(rest).add(bytes.length);
    }

    public long value() {
        return state;
    }

    private static long mix(long value) {
        long z = value + MULTIPLIER;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
