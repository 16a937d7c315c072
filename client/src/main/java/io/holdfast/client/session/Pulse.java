package io.holdfast.client.session;

/**
 * Whether the other end of the stream is there, whatever it knows of a leader.
 *
 * <p>While something goes unanswered, the other end is asked whether it is there ({@link
 * io.holdfast.protocol.frame.ClientFrame.Ping}). A frozen host, or one that is cut off, does not say so, and is left long before
 * the silence that a fail-over may cost at one that does (C38, C81). Nothing of this says anything about the session: a Pong
 * renews no lease and ends no silence (R3.5).
 *
 * <p><b>Source:</b> ADR 0004.
 *
 * <p><b>Thread:</b> the machine's.
 */
final class Pulse {
    private static final long MIN_PATIENCE_NANOS = 500_000_000L;
    /** Each stream lost in a row doubles the patience, up to so often: a crowded cell is not to be run away from. */
    private static final int MAX_DOUBLINGS = 2;

    private final long everyNanos;
    private final long patienceNanos;

    private long lastWordAt;
    /** When the Ping was sent that is not answered yet; NEVER if there is none. */
    private long askedAt = Deadlines.NEVER;

    private long patienceNowNanos;

    /** @param silenceNanos how long an answer of the cell may take */
    Pulse(long silenceNanos) {
        this.everyNanos = silenceNanos / 5;
        this.patienceNanos = Math.max(silenceNanos / 4, Math.min(silenceNanos, MIN_PATIENCE_NANOS));
    }

    /** A new stream. */
    void began(int failures, long now) {
        patienceNowNanos = patienceNanos << Math.min(failures, MAX_DOUBLINGS);
        word(now);
    }

    /** Any frame at all came. */
    void word(long now) {
        lastWordAt = now;
        askedAt = Deadlines.NEVER;
    }

    void asked(long now) {
        askedAt = now;
    }

    /**
     * When it is to be asked.
     *
     * @param silentSince since when something waits for an answer; {@link Deadlines#NEVER} if nothing does
     */
    long askAt(long silentSince) {
        if (silentSince == Deadlines.NEVER || askedAt != Deadlines.NEVER) {
            return Deadlines.NEVER;
        }
        return Math.max(lastWordAt, silentSince) + everyNanos;
    }

    /** When it counts as gone if it says nothing. */
    long goneAt() {
        return Deadlines.after(askedAt, patienceNowNanos);
    }

    /** A look that comes late was late itself: what the other end has said may lie unread, so it gets its time once more. */
    void excuseOwnPause(long now) {
        if (askedAt != Deadlines.NEVER && now - goneAt() > everyNanos) {
            askedAt = now;
        }
    }

    long lastWordAt() {
        return lastWordAt;
    }

    /** How long the first word of a new stream may take where others can be tried instead. */
    long patienceNanos() {
        return patienceNanos;
    }
}
