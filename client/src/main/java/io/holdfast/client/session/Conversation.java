package io.holdfast.client.session;

import io.holdfast.protocol.frame.ClientFrame;
import org.jspecify.annotations.Nullable;

/**
 * What goes out to the cell and when: connecting, binding the stream, KeepAlives, requests; and when a stream is given up.
 *
 * <p><b>Thread:</b> the machine's.
 *
 * <p><b>Source:</b> R1.2 (cadence), R3.4 (what waits in jeopardy), R4.2 (places are asked for after a reconnect), C73, C74, C81.
 */
final class Conversation {
    private final Outbox outbox;
    private final Connection connection;
    private final Binding binding;
    private final LeaseClock lease;
    private final Requests requests;
    private final Calls calls;
    private final LockMachine locks;
    private final Watches watches;
    private final ValueCache cache;
    private final Trust trust;
    private final Moving moving = new Moving();
    /** Since the last attach the places have not been asked for. */
    private boolean placesToAsk;

    Conversation(Parts parts, Trust trust) {
        this.outbox = parts.outbox();
        this.connection = parts.connection();
        this.binding = parts.binding();
        this.lease = parts.lease();
        this.requests = parts.requests();
        this.calls = parts.calls();
        this.locks = parts.locks();
        this.watches = parts.watches();
        this.cache = parts.cache();
        this.trust = trust;
    }

    /** Does what is due, at the end of every turn. */
    void goOn(SessionState state, boolean closing, long now) {
        if (state == SessionState.CLOSED) {
            return;
        }
        if (connection.phase() != Connection.Phase.DOWN && mayMove(now)) {
            connection.moveOn(now);
            streamLost("the other end of the stream drains", now);
        }
        if (connection.phase() == Connection.Phase.DOWN && wantsStream() && now >= connection.attemptAt()) {
            moving.reset();
            connection.open(now);
        }
        if (connection.isLeaderless() && !calls.hasOneShotsOnStream()) { // whose fate would be unknown (R2.7)
            abandonStream("no leader can be reached through it", now);
        }
        if (connection.isOpen()) {
            talk(state, closing, now);
            connection.askPulse(now);
        }
        if (state == SessionState.EXPIRED && !wantsStream()) {
            connection.close();
        }
        connection.expecting(binding.isAsked() || lease.unanswered() || isAsking(), now);
    }

    /** Whether something of the application's waits for an answer on the present stream, one-shots aside. */
    private boolean isAsking() {
        return requests.hasOnStream() || calls.hasReadsOnStream() || watches.hasOnStream();
    }

    /** The other end drains: the client goes when its time has come and nothing is lost by it, or not much longer. */
    private boolean mayMove(long now) {
        return moving.isDue(now) && !calls.hasOneShotsOnStream() && (!isAsking() || moving.isOverdue(now));
    }

    /** The other end asks to be left. */
    void draining(long spreadMillis, long now) {
        moving.asked(spreadMillis, connection.random(), now);
    }

    private boolean wantsStream() {
        return binding.isWanted() || calls.size() > 0;
    }

    private void talk(SessionState state, boolean closing, long now) {
        if (binding.isDue(now)) {
            binding.bind(now);
        }
        if (binding.isBound() && !closing && keepAliveIsDue(now)) {
            long patienceMillis = lease.patienceMillis(isProbe(now), now);
            outbox.send(new ClientFrame.KeepAlive(lease.keepAliveSent(now), patienceMillis));
        }
        if (moving.isDue(now)) {
            return; // what is asked from here on goes to the next endpoint
        }
        boolean safe = trust.safeAt(now);
        if (binding.isBound() && safe && placesToAsk) {
            placesToAsk = false;
            locks.askPlaces();
        }
        if (binding.isBound() && safe && !closing) {
            watches.flush(now);
        }
        if (watches.mustClaimFirst()) {
            return; // R5.2: a reply could show what a watch of ours should have told before
        }
        if (binding.isBound() && (safe || closing)) {
            requests.flush(now); // R3.4: in jeopardy reads and writes wait
        }
        if (state != SessionState.JEOPARDY && now >= binding.resumeAt() && !connection.isLeaderless()) {
            calls.flush(now, binding.isBound() && safe);
        }
    }

    private boolean keepAliveIsDue(long now) {
        return isProbe(now) || now >= lease.nextKeepAliveAt();
    }

    /** Whether a KeepAlive is to show that the leader can be reached, as something else goes unanswered. */
    private boolean isProbe(long now) {
        return !lease.unanswered() && now >= connection.probeAt();
    }

    /** The stream speaks for the session again. */
    void attached() {
        cache.bound(binding.attachment(), binding.epoch());
        lease.requestKeepAlive();
        placesToAsk = true;
    }

    /** A stream that left something unanswered for too long is dead, whatever its socket says (C81). */
    void checkStream(long now) {
        connection.excuseOwnPause(now);
        if (connection.phase() != Connection.Phase.DOWN && now >= streamDeadAt()) {
            abandonStream(connection.deathReason(now), now);
        }
    }

    private long streamDeadAt() {
        long silent = connection.deadAt();
        long unrenewed = Deadlines.after(lease.unansweredSince(), connection.answerNanos());
        long oldest = Math.min(watches.oldestSentAt(), Math.min(requests.oldestSentAt(), calls.oldestSentAt()));
        long unanswered = connection.patienceEndsAt(oldest);
        return Math.min(silent, Math.min(unrenewed, unanswered));
    }

    private void abandonStream(String why, long now) {
        connection.abandon(why, now);
        streamLost(why, now);
    }

    /** The present stream ended. */
    void streamClosed(String why, long now) {
        connection.lost(why, now);
        streamLost(why, now);
    }

    private void streamLost(String why, long now) {
        moving.reset();
        cache.unbound(); // R6.4: before another stream is asked for
        binding.streamLost();
        lease.streamLost();
        requests.interrupted();
        calls.interrupted(why, now);
        watches.interrupted(why);
    }

    /** What is in flight has an unknown fate; this stream is tried again after a pause, or else the next (C73, C74). */
    void interrupted(String why, @Nullable String hint, long now) {
        cache.unbound(); // R6.4: before the session is bound again
        lease.streamLost();
        requests.interrupted();
        calls.interrupted(why, now);
        watches.interrupted(why);
        if (!binding.interrupted(now + connection.jittered(binding.tries()))) {
            abandonStream(why, now);
            connection.prefer(hint);
        }
    }

    /** When the next of all that is due here is due. */
    long nextDeadline(boolean closing, long lastNow) {
        if (connection.phase() == Connection.Phase.DOWN) {
            return wantsStream() ? connection.attemptAt() : Deadlines.NEVER;
        }
        long next = streamDeadAt();
        if (!connection.isOpen()) {
            return next;
        }
        next = Math.min(next, Math.min(connection.pulseAt(), moving.nextDeadline(lastNow)));
        if (lastNow < binding.resumeAt()) {
            next = Math.min(next, binding.resumeAt());
        }
        next = Math.min(next, Math.min(requests.resumesAt(lastNow), calls.resumesAt(lastNow)));
        next = Math.min(next, watches.resumesAt(lastNow));
        if (binding.isBound() && !closing) {
            next = Math.min(next, lease.nextKeepAliveAt());
            if (!lease.unanswered()) {
                next = Math.min(next, connection.probeAt());
            }
        }
        return next;
    }
}
