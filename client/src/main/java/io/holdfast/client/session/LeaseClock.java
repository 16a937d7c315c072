package io.holdfast.client.session;

import java.util.Map;
import java.util.TreeMap;

/**
 * The client's side of its session's lease: which KeepAlives were sent when, and until when that makes the session safe.
 *
 * <p><b>Thread:</b> the machine's. <b>Invariants:</b> 1. Only a confirmation that names a send extends the lease, and it is
 * counted from when that send left (R1.2, R3.5). 2. A send number is never used twice, so a repeat is another send.
 *
 * <p><b>Source:</b> R1.2, R1.3, R3.5.
 */
final class LeaseClock {
    /** ρ = 1/100: how much two monotonic clocks' rates may differ (R1.1). */
    private static final long DRIFT_DIVISOR = 100;
    /** A KeepAlive each third of the lease (R1.2). */
    private static final long KEEPALIVES_PER_LEASE = 3;
    /** Sends remembered; forgetting one only means that its confirmation does not count. */
    private static final int MAX_REMEMBERED_SENDS = 64;

    /** A KeepAlive may wait for company for four fifths of the time after which it is repeated: 1 s of 1.25 s at 12 s. */
    private static final long PATIENCE_PARTS = 4;

    private static final long REPEAT_PARTS = 5;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final Trust trust;
    /** KeepAlives on the present stream that are not answered: number to time of sending. */
    private final TreeMap<Long, Long> sends = new TreeMap<>();

    private final long repeatNanos;
    private long leaseNanos;
    private long lastNumber;
    private long firstOpenSentAt = Deadlines.NEVER;
    private long lastSentAt;
    private boolean dueNow;
    /** What the last confirmation that extended the lease extended it to. */
    private long confirmedUntil = Long.MIN_VALUE;

    /** @param repeatNanos how soon a KeepAlive is repeated while none is answered */
    LeaseClock(Trust trust, long repeatNanos) {
        this.trust = trust;
        this.repeatNanos = repeatNanos;
    }

    /** An Open is being sent; its number. */
    long openSent(long now) {
        firstOpenSentAt = Math.min(firstOpenSentAt, now);
        return ++lastNumber;
    }

    /**
     * The session is open. Its lease is counted from the <em>first</em> Open with this secret: the cell may have opened the
     * session then and let it run since, and no later send can have started it earlier (R1.2, R2.7).
     */
    void opened(long leaseMillis) {
        leaseNanos = leaseMillis * NANOS_PER_MILLI;
        lastSentAt = firstOpenSentAt;
        trust.extendTo(localExpiry(firstOpenSentAt));
    }

    /** Starts over with another secret, before the session was ever safe. */
    void forgetOpen() {
        firstOpenSentAt = Deadlines.NEVER;
        sends.clear();
    }

    /** A KeepAlive is being sent; its number. */
    long keepAliveSent(long now) {
        long number = ++lastNumber;
        sends.put(number, now);
        if (sends.size() > MAX_REMEMBERED_SENDS) {
            sends.pollFirstEntry();
        }
        lastSentAt = now;
        dueNow = false;
        return number;
    }

    /** A KeepAlive was answered; whether the lease was renewed by it. */
    boolean confirmed(long sendNumber, boolean renewed, long now) {
        Long sentAt = sends.get(sendNumber); // R1.2: from when the send that the reply names left
        if (sentAt == null) {
            return false; // answered before, from another stream, or from before a suspension
        }
        Invariants.check(sentAt <= now, "a KeepAlive was sent after its answer came");
        sends.headMap(sendNumber, true).clear();
        if (!renewed) {
            return false; // R3.5: only a reply marked renewed extends
        }
        confirmedUntil = localExpiry(sentAt);
        trust.extendTo(localExpiry(sentAt));
        trust.restore();
        return true;
    }

    /** Up to when the last KeepAlive that was confirmed as renewed makes safe: for what is confirmed together with it (R6.2). */
    long confirmedUntil() {
        return confirmedUntil;
    }

    private long localExpiry(long sentAt) {
        return sentAt + leaseNanos - leaseNanos / DRIFT_DIVISOR; // R1.2: sentAt + lease·(1−ρ)
    }

    /** Nothing sent before now may restore trust: the clock stood still since (R1.3). */
    void clockJumped() {
        trust.suspend();
        sends.clear(); // R1.3: only a KeepAlive sent after the jump restores trust
        dueNow = true;
    }

    void streamLost() {
        sends.clear();
    }

    /** Asks for a KeepAlive at the next opportunity. */
    void requestKeepAlive() {
        dueNow = true;
    }

    /**
     * How long a KeepAlive that is sent now may wait at the front end for those of others: not at all if the session is not SAFE,
     * if less than half of its lease is left, if one before it has no answer, or if one was asked for. At most so long that an
     * answer in time comes before the repeat.
     *
     * @param probe it is to show whether the stream lives
     */
    long patienceMillis(boolean probe, long now) {
        boolean hurry = probe || dueNow || unanswered() || !trust.safeAt(now + leaseNanos / 2);
        return hurry ? 0 : repeatNanos * PATIENCE_PARTS / REPEAT_PARTS / NANOS_PER_MILLI;
    }

    boolean unanswered() {
        return !sends.isEmpty();
    }

    /** When the oldest KeepAlive without an answer was sent. */
    long unansweredSince() {
        Map.Entry<Long, Long> first = sends.firstEntry();
        return first == null ? Deadlines.NEVER : first.getValue();
    }

    long nextKeepAliveAt() {
        if (dueNow) {
            return Long.MIN_VALUE;
        }
        return lastSentAt + (sends.isEmpty() ? leaseNanos / KEEPALIVES_PER_LEASE : repeatNanos);
    }

    long leaseMillis() {
        return leaseNanos / NANOS_PER_MILLI;
    }
}
