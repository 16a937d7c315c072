package io.holdfast.chaos.load;

import io.holdfast.client.Value;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Keys of values that all processes read and write. They change with time, so that each key's history stays short. */
public final class Registers {
    private static final int KEYS = 6;
    private static final long EPOCH_NANOS = TimeUnit.SECONDS.toNanos(20);

    private Registers() {}

    /** One of the present keys; {@code choice} is from 0 inclusive to {@link #keys} exclusive. */
    static String key(long startNanos, int choice) {
        return "/chaos/value/e" + (System.nanoTime() - startNanos) / EPOCH_NANOS + "-" + choice;
    }

    static int keys() {
        return KEYS;
    }

    static byte[] bytes(long value) {
        return Long.toString(value).getBytes(StandardCharsets.UTF_8);
    }

    /** The number that was written. */
    public static long number(Value value) {
        return Long.parseLong(value.text());
    }
}
