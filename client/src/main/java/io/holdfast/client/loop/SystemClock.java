package io.holdfast.client.loop;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The clocks of this machine. Linux tells the time since its start, sleep included, in {@code /proc/uptime}; elsewhere only the
 * wall clock can tell of a sleep.
 */
final class SystemClock implements ClientClock {
    private static final int CENTIS_DIGITS = 2;
    private static final long MILLIS_PER_CENTI = 10;
    private static final int MAX_LENGTH = 64;

    private final long originNanos = System.nanoTime();
    private final String uptimeFile;

    SystemClock() {
        this("/proc/uptime");
    }

    SystemClock(String uptimeFile) {
        this.uptimeFile = uptimeFile;
    }

    @Override
    public long nanos() {
        return System.nanoTime() - originNanos;
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    /** No channel: one that a thread is interrupted at closes itself. */
    @Override
    public long bootMillis() {
        byte[] text = new byte[MAX_LENGTH];
        try (FileInputStream uptime = new FileInputStream(uptimeFile)) {
            int length = uptime.read(text);
            return length <= 0 ? NO_BOOT_CLOCK : parse(new String(text, 0, length, StandardCharsets.US_ASCII));
        } catch (IOException | NumberFormatException e) {
            return NO_BOOT_CLOCK;
        }
    }

    /** {@code "350735.47 234388.90"}: seconds and hundredths since the start, then something else. */
    private static long parse(String uptime) {
        int dot = uptime.indexOf('.');
        int end = dot + 1 + CENTIS_DIGITS;
        if (dot <= 0 || end > uptime.length()) {
            return NO_BOOT_CLOCK;
        }
        return Long.parseLong(uptime.substring(0, dot) + uptime.substring(dot + 1, end)) * MILLIS_PER_CENTI;
    }
}
