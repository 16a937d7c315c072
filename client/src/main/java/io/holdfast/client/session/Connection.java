package io.holdfast.client.session;

import io.holdfast.protocol.frame.ClientFrame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one stream to the cell: which endpoint is next, when, and whether what is connected still lives.
 *
 * <p>A stream that leaves something unanswered for {@link #answerNanos} is dead, whatever its socket says (C81), sooner if its
 * other end does not even say that it is there ({@link Pulse}). One that is still connecting gets more time where going elsewhere
 * promises nothing: at the only endpoint of a client that was never connected, and once all endpoints were tried. One that has
 * refused, for want of a leader, what had waited there leads nowhere either (C38): its end is cut off from the leader while others
 * may not be.
 *
 * <p><b>Thread:</b> the machine's.
 */
final class Connection {
    /** How far the stream has come. */
    enum Phase {
        DOWN,
        /** Asked for; nothing heard yet. */
        OPENING,
        /** The cell said Hello. */
        OPEN
    }

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long MAX_SILENCE_NANOS = 2_500_000_000L;
    /** How many times longer a single call may wait on a stream that answers others. */
    private static final int PATIENCE = 4;
    /** What the first connection to the only endpoint may take; the caller's own timeout usually comes first. */
    private static final long MAX_CONNECT_NANOS = 10_000_000_000L;

    private static final long MIN_BACKOFF_NANOS = 50_000_000L;
    private static final long MAX_BACKOFF_NANOS = 1_000_000_000L;
    private static final int MAX_DOUBLINGS = 5;
    /** Of the time that an open stream has for an answer. */
    private static final int MAX_ANSWER_DOUBLINGS = 2;
    /** Fewer streams in vain say nothing of the cell: a single address may lead to several replicas. */
    private static final int MIN_ROUND = 3;

    private final List<String> endpoints;
    private final RandomSource random;
    private final Outbox outbox;
    private final long silenceNanos;
    private final long maxBackoffNanos;
    private final Pulse pulse;

    private Phase phase = Phase.DOWN;
    private long streamNo;
    private int endpoint;
    private int failures;
    private boolean everOpen;
    private long attemptAt = Long.MIN_VALUE;
    /** Since when something has been asked and nothing heard; NEVER if nothing is asked. */
    private long silentSince = Deadlines.NEVER;
    /** A caller gave up before its answer came, and nothing was heard since: its patience says nothing for the stream. */
    private boolean givenUp;
    /** The leader was last heard of through this stream. */
    private long provenAt;
    /** What waited at its other end was refused since, as no leader could be reached from there. */
    private boolean leaderless;

    private String lastProblem = "";

    Connection(SessionConfig config, RandomSource random, Outbox outbox) {
        this.endpoints = config.endpoints();
        this.random = random;
        this.outbox = outbox;
        long leaseNanos = config.leaseMillis() * NANOS_PER_MILLI;
        this.silenceNanos = Math.min(leaseNanos / 4, MAX_SILENCE_NANOS);
        this.pulse = new Pulse(silenceNanos);
        this.maxBackoffNanos = Math.min(leaseNanos / 12, MAX_BACKOFF_NANOS);
        this.endpoint = (int) random.next(endpoints.size());
    }

    void open(long now) {
        streamNo++;
        phase = Phase.OPENING;
        silentSince = now;
        givenUp = false;
        leaderless = false;
        provenAt = now;
        pulse.began(failures, now);
        outbox.useStream(streamNo);
        outbox.add(new SessionAction.OpenStream(streamNo, endpoint));
    }

    boolean isCurrent(long number) {
        return phase != Phase.DOWN && number == streamNo;
    }

    void hello() {
        phase = Phase.OPEN;
        everOpen = true;
    }

    /** Something useful came over this stream: the next failure starts with a short delay again. */
    void proven(long now) {
        failures = 0;
        leaderless = false;
        provenAt = now;
    }

    /**
     * Something was refused as there is no leader. If it, or anything else, had waited for that, the stream leads nowhere; a
     * leader that refuses does so at once. To be told before {@link #heard}.
     *
     * @param sentAt when it was sent; {@link Deadlines#NEVER} if nobody waits for it any more
     */
    void refusedForWantOfLeader(long sentAt, long now) {
        long since = Math.max(provenAt, Math.min(silentSince, sentAt));
        leaderless |= givenUp || now - since >= silenceNanos / 2;
    }

    /** Whether nothing more should be asked of this stream. */
    boolean isLeaderless() {
        return phase == Phase.OPEN && leaderless;
    }

    /** The stream is gone; the next attempt goes to the next endpoint after a jittered delay that grows by the round. */
    void lost(String reason, long now) {
        phase = Phase.DOWN;
        silentSince = Deadlines.NEVER;
        lastProblem = endpoints.get(endpoint) + ": " + reason;
        endpoint = (endpoint + 1) % endpoints.size();
        int round = round();
        failures++;
        attemptAt = now + jittered(round);
    }

    /** The present stream is left because its other end asked for that: no failure, so the next endpoint is tried at once. */
    void moveOn(long now) {
        outbox.add(new SessionAction.CloseStream(streamNo));
        phase = Phase.DOWN;
        silentSince = Deadlines.NEVER;
        endpoint = (endpoint + 1) % endpoints.size();
        attemptAt = now;
    }

    RandomSource random() {
        return random;
    }

    /** How often all endpoints were tried in vain. */
    private int round() {
        return failures / endpoints.size();
    }

    /** Gives the present stream up. */
    void abandon(String reason, long now) {
        outbox.add(new SessionAction.CloseStream(streamNo));
        lost(reason, now);
    }

    void close() {
        if (phase != Phase.DOWN) {
            outbox.add(new SessionAction.CloseStream(streamNo));
            phase = Phase.DOWN;
            silentSince = Deadlines.NEVER;
        }
    }

    /** The next attempt goes there, if it is one of the endpoints. */
    void prefer(@Nullable String address) {
        int index = address == null ? -1 : endpoints.indexOf(address);
        if (index >= 0) {
            endpoint = index;
        }
    }

    /** A delay between half and all of {@code 50 ms · 2^doublings}, capped. */
    long jittered(int doublings) {
        long full = Math.min(maxBackoffNanos, MIN_BACKOFF_NANOS << Math.min(doublings, MAX_DOUBLINGS));
        return full / 2 + random.next(full / 2 + 1);
    }

    /** The other end of the stream is there; that is all. */
    void pong(long now) {
        pulse.word(now);
    }

    void heard(long now) {
        pulse.word(now);
        if (silentSince != Deadlines.NEVER) {
            silentSince = now;
            givenUp = false;
        }
    }

    /** What was asked on this stream is not waited for any more, though no answer came (C81). */
    void gaveUp(long now) {
        if (phase != Phase.DOWN) {
            givenUp = true;
            if (silentSince == Deadlines.NEVER) {
                silentSince = now; // one-shots alone do not count as long as they are waited for
            }
        }
    }

    /** Told after every turn whether something is asked of this stream. */
    void expecting(boolean something, long now) {
        if (phase == Phase.DOWN) {
            return;
        }
        boolean waiting = something || givenUp || phase == Phase.OPENING;
        if (!waiting) {
            silentSince = Deadlines.NEVER;
        } else if (silentSince == Deadlines.NEVER) {
            silentSince = now;
        }
    }

    /** Before it is looked whether the stream is dead. */
    void excuseOwnPause(long now) {
        pulse.excuseOwnPause(now);
    }

    /** When the stream counts as dead if nothing is heard. */
    long deadAt() {
        return Math.min(pulse.goneAt(), Deadlines.after(silentSince, allowedSilenceNanos()));
    }

    /** How long the present stream may leave something unanswered. */
    private long allowedSilenceNanos() {
        if (phase != Phase.OPENING) {
            return answerNanos();
        }
        if (!everOpen) {
            long only = Math.max(PATIENCE * silenceNanos, MAX_CONNECT_NANOS);
            return endpoints.size() == 1 ? only : Math.min(2, 1 + round()) * silenceNanos;
        }
        return Math.min(2 * silenceNanos, pulse.patienceNanos() << Math.min(round(), MAX_DOUBLINGS));
    }

    /** Why the stream is given up at {@code now}, once {@link #deadAt} is over. */
    String deathReason(long now) {
        long nanos = now >= pulse.goneAt() ? now - pulse.lastWordAt() : allowedSilenceNanos();
        return "no answer for " + nanos / NANOS_PER_MILLI + " ms";
    }

    /** Asks the other end whether it is there, if that is due. */
    void askPulse(long now) {
        if (now >= pulseAt()) {
            pulse.asked(now);
            outbox.send(new ClientFrame.Ping());
        }
    }

    /** When {@link #askPulse} has something to do. */
    long pulseAt() {
        return phase == Phase.OPEN ? pulse.askAt(silentSince) : Deadlines.NEVER;
    }

    /** When it is worth asking whether the stream still lives. */
    long probeAt() {
        return Deadlines.after(silentSince, silenceNanos / 2);
    }

    /** When a stream is given up that answers others, but not what was sent then. */
    long patienceEndsAt(long sentAt) {
        return Deadlines.after(sentAt, PATIENCE * silenceNanos);
    }

    long silenceNanos() {
        return silenceNanos;
    }

    /**
     * How long an open stream may take for an answer of the cell. Twice as long after each round in which no endpoint gave one, and
     * no less than three streams: a cell with too much to do gets more to do from everybody who connects anew. At most a lease.
     */
    long answerNanos() {
        int rounds = failures / Math.max(MIN_ROUND, endpoints.size());
        return silenceNanos << Math.min(rounds, MAX_ANSWER_DOUBLINGS);
    }

    Phase phase() {
        return phase;
    }

    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    long attemptAt() {
        return attemptAt;
    }

    /** For messages: who did not answer, and what went wrong last. */
    String problem() {
        String names = "no answer in time from " + String.join(",", endpoints);
        return lastProblem.isEmpty() ? names : names + " (last problem: " + lastProblem + ")";
    }
}
