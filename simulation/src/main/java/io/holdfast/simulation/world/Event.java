package io.holdfast.simulation.world;

/** One thing that will happen. Events at the same time happen in the order in which they were made. */
final class Event {
    final long atNanos;
    final long sequence;
    final EventKind kind;
    final int subject;
    final Runnable action;

    Event(long atNanos, long sequence, EventKind kind, int subject, Runnable action) {
        this.atNanos = atNanos;
        this.sequence = sequence;
        this.kind = kind;
        this.subject = subject;
        this.action = action;
    }

    boolean isBefore(Event other) {
        return atNanos < other.atNanos || (atNanos == other.atNanos && sequence < other.sequence);
    }
}
