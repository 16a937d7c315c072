package io.holdfast.simulation.world;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * True virtual time and everything that will happen in it.
 *
 * <p><b>Thread:</b> one.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>Time never goes back.
 *   <li>The order of events depends on the seed alone.
 *   <li>After every event the check runs.
 * </ol>
 */
public final class World {
    /** Units, so that schedules read like a story. */
    public static final long MICRO = 1_000L;

    public static final long MILLI = 1_000_000L;
    public static final long SECOND = 1_000_000_000L;

    /** No run that goes well comes near. */
    private static final long MAX_EVENTS = 5_000_000;

    private final Rng rng;
    private final EventQueue queue = new EventQueue();
    private final Coverage coverage = new Coverage();
    private final @Nullable Appendable traceSink;
    private long nowNanos;
    private long sequence;
    private long events;
    private long hash = 0x9E3779B97F4A7C15L;

    /** @param traceSink gets one line per event and remark, or null */
    public World(long seed, @Nullable Appendable traceSink) {
        this.rng = new Rng(Rng.mix(seed + 0x5DEECE66DL));
        this.traceSink = traceSink;
    }

    public long nowNanos() {
        return nowNanos;
    }

    public Rng rng() {
        return rng;
    }

    public Coverage coverage() {
        return coverage;
    }

    /** Events so far. */
    public long events() {
        return events;
    }

    /** Equal for two runs exactly if they did the same things at the same times. */
    public long traceHash() {
        return hash;
    }

    /**
     * Makes something happen later.
     *
     * @param subject which process or link it concerns, for the trace
     */
    public void after(long delayNanos, EventKind kind, int subject, Runnable action) {
        at(nowNanos + Math.max(0, delayNanos), kind, subject, action);
    }

    /** Makes something happen at a time; at once if that is past. */
    public void at(long atNanos, EventKind kind, int subject, Runnable action) {
        queue.add(new Event(Math.max(nowNanos, atNanos), sequence++, kind, subject, action));
    }

    /** Runs every event up to a time, then moves there. {@code check} runs after each event. */
    public void runUntil(long endNanos, Runnable check) {
        while (queue.size() > 0 && queue.first().atNanos <= endNanos) {
            Event event = queue.take();
            nowNanos = event.atNanos;
            if (++events > MAX_EVENTS) {
                throw new Violation(
                        "no storm",
                        MAX_EVENTS + " events and no end; the last one: " + event.kind + " of " + event.subject);
            }
            observe(event.kind, event.subject, event.atNanos);
            event.action.run();
            check.run();
        }
        nowNanos = Math.max(nowNanos, endNanos);
    }

    /** Mixes something that happened into the trace hash. */
    public void observe(EventKind kind, int subject, long value) {
        hash = Rng.mix(hash * 31 + kind.ordinal()) ^ Rng.mix(value + ((long) subject << 48));
    }

    public boolean tracing() {
        return traceSink != null;
    }

    /** Writes a line to the trace, if there is one. */
    public void trace(Supplier<String> line) {
        if (traceSink == null) {
            return;
        }
        try {
            traceSink
                    .append(String.format("%12.6f ", nowNanos / 1e9))
                    .append(line.get())
                    .append("\n");
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
