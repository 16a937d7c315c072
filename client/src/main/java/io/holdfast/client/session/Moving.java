package io.holdfast.client.session;

/**
 * Whether the other end of the present stream has asked to be left, as it drains, and when that is done.
 *
 * <p>From a random time within what it allows on, nothing new is asked on the stream; when all that was asked there is answered, or
 * after {@link #ANSWER_NANOS}, the client goes to the next endpoint. What is not answered by then keeps its id (R2.7). A one-shot is waited
 * for until the other end itself ends, since its fate would be unknown. The session is not touched: its lease runs on, KeepAlives are
 * sent until it moves, and the Attach on the new stream asks for another.
 *
 * <p><b>Source:</b> ADR 0019.
 *
 * <p><b>Thread:</b> the machine's.
 */
final class Moving {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** Whoever drains ends by itself sooner or later. */
    private static final long MAX_SPREAD_MILLIS = 10_000;
    /** How long answers are waited for once it is time to move. */
    static final long ANSWER_NANOS = 500_000_000L;

    private long moveAt = Deadlines.NEVER;

    /** The other end asks to be left; asked again, it stays as it was. */
    void asked(long spreadMillis, RandomSource random, long now) {
        if (moveAt == Deadlines.NEVER) {
            long bounded = Math.max(0, Math.min(spreadMillis, MAX_SPREAD_MILLIS));
            moveAt = now + random.next(bounded + 1) * NANOS_PER_MILLI;
        }
    }

    /** The stream is gone. */
    void reset() {
        moveAt = Deadlines.NEVER;
    }

    /** Whether nothing new is to be asked on the present stream. */
    boolean isDue(long now) {
        return now >= moveAt;
    }

    /** Whether the client is to go now, although something it asked for is not answered. */
    boolean isOverdue(long now) {
        return now >= Deadlines.after(moveAt, ANSWER_NANOS);
    }

    /** When the next of the two comes true. */
    long nextDeadline(long now) {
        return isDue(now) ? (isOverdue(now) ? Deadlines.NEVER : moveAt + ANSWER_NANOS) : moveAt;
    }
}
