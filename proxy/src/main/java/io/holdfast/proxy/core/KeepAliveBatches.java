package io.holdfast.proxy.core;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the KeepAlives of bound streams and sends them to the leader together, once a second if nobody is in a hurry.
 *
 * <p><b>Thread:</b> the front end's. Times are nanoseconds of its monotonic clock.
 *
 * <p><b>Invariants</b> (all R3.5):
 *
 * <ol>
 *   <li>A batch lists a session only if a KeepAlive of it has arrived since the last batch that listed it: each KeepAlive is
 *       listed once, so a client that says nothing any more is not renewed.
 *   <li>What arrived more than {@link #MAX_AGE_NANOS} before is not listed; nor is what may have lain unread while this process
 *       stood still.
 *   <li>An answer confirms the sends that its batch listed, and no other: not what arrived after the batch was sent.
 *   <li>Nothing is confirmed here: whether a session is renewed, and its cache lease with it (R6.2), is the leader's word alone.
 *   <li>Bounded: one KeepAlive for each stream, {@link #MAX_IN_FLIGHT} batches without an answer.
 * </ol>
 *
 * <p><b>Source:</b> R3.5, ADR 0020.
 */
final class KeepAliveBatches {
    private static final long MILLI = 1_000_000L;

    /** A KeepAlive waits at most this long for others. */
    static final long MAX_PATIENCE_NANOS = 1_000 * MILLI;
    /** Batches are at least so far apart, however great the hurry: who comes meanwhile goes with the next. */
    static final long MIN_GAP_NANOS = 20 * MILLI;

    static final long MAX_AGE_NANOS = 2_000 * MILLI;
    /** So often it looks whether it stood still. */
    static final long LOOK_NANOS = 1_000 * MILLI;
    /** After it stood still, what is read for so long may have been sent meanwhile. */
    static final long CATCH_UP_NANOS = 200 * MILLI;

    static final int MAX_IN_FLIGHT = 16;

    private static final long NEVER = Long.MAX_VALUE;
    /** Long ago; far enough from the ends of the range to be subtracted. */
    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    /** One that has arrived. */
    private record Waiting(ClientStream client, SessionId session, long sendNumber, long arrivedNanos) {}

    /** What a client is to be told. */
    record Told(ClientStream client, ServerFrame frame) {}

    /** The newest of each stream, since the last batch. */
    private final Map<Long, Waiting> waiting = new LinkedHashMap<>();

    private final Map<Long, List<Waiting>> inFlight = new TreeMap<>();
    /** When the first of those that wait has no more patience; NEVER if none waits. */
    private long dueNanos = NEVER;

    private long lastSentNanos = LONG_AGO;
    private long lastNumber;
    private long lastLookNanos = LONG_AGO;
    /** When it last found that it had stood still. */
    private long wokenNanos = LONG_AGO;

    // ---- time

    /** To be called before anything else is done with what has arrived. */
    void look(long now) {
        if (lastLookNanos != LONG_AGO && now - lastLookNanos > MAX_AGE_NANOS) {
            wokenNanos = now; // R3.5: what is read now may have been sent at any time since
        }
        lastLookNanos = now;
    }

    /** When {@link #look} and {@link #take} are to be called. */
    long nextDeadlineNanos() {
        long look = lastLookNanos == LONG_AGO ? NEVER : lastLookNanos + LOOK_NANOS;
        if (dueNanos == NEVER || inFlight.size() >= MAX_IN_FLIGHT) {
            return look;
        }
        return Math.min(look, Math.max(dueNanos, lastSentNanos + MIN_GAP_NANOS));
    }

    // ---- from clients

    /** A KeepAlive of a stream that speaks for {@code session}. */
    void heard(ClientStream client, SessionId session, ClientFrame.KeepAlive keepAlive, long now) {
        if (now - wokenNanos < CATCH_UP_NANOS && client.boundNanos() < wokenNanos) {
            return; // its age is not known; the client sends another, in a hurry
        }
        waiting.put(client.number(), new Waiting(client, session, keepAlive.sendNumber(), now));
        long patience = Math.max(0, Math.min(keepAlive.patienceMillis(), MAX_PATIENCE_NANOS / MILLI)) * MILLI;
        dueNanos = Math.min(dueNanos, now + patience);
    }

    void streamClosed(long stream) {
        waiting.remove(stream);
    }

    // ---- to the leader and back

    /** The batch that is to go out now, or null. */
    UpstreamFrame.@Nullable KeepAlives take(long now) {
        boolean due = now >= dueNanos && now - lastSentNanos >= MIN_GAP_NANOS;
        if (!due || inFlight.size() >= MAX_IN_FLIGHT) {
            return null;
        }
        List<Waiting> taken = new ArrayList<>();
        Iterator<Waiting> each = waiting.values().iterator();
        while (each.hasNext() && taken.size() < UpstreamFrame.KeepAlives.MAX_HEARD) {
            Waiting next = each.next();
            each.remove(); // R3.5: only who is heard from again is listed again
            boolean tooOld = now - next.arrivedNanos() > MAX_AGE_NANOS;
            if (!tooOld && next.session().equals(next.client().session())) {
                taken.add(next);
            }
        }
        dueNanos = waiting.isEmpty() ? NEVER : now;
        if (taken.isEmpty()) {
            return null;
        }
        lastSentNanos = now;
        inFlight.put(++lastNumber, taken);
        List<UpstreamFrame.Heard> heard = new ArrayList<>(taken.size());
        for (Waiting next : taken) {
            heard.add(new UpstreamFrame.Heard(next.client().number(), next.session(), next.sendNumber()));
        }
        return new UpstreamFrame.KeepAlives(lastNumber, heard);
    }

    /** The leader's word on a batch: what each client is to be told that it listed. */
    List<Told> settled(DownstreamFrame.KeepAlivesSettled answer) {
        List<Told> told = new ArrayList<>();
        List<Waiting> listed = inFlight.remove(answer.number());
        if (listed == null) {
            return told;
        }
        boolean[] renewed = new boolean[listed.size()];
        boolean[] cached = new boolean[listed.size()];
        boolean[] gone = new boolean[listed.size()];
        Arrays.fill(renewed, true);
        Arrays.fill(cached, true);
        mark(renewed, answer.notRenewed(), false);
        mark(cached, answer.notRenewed(), false);
        mark(cached, answer.cacheNotRenewed(), false); // R6.2: the leader's word, of the step that renewed
        mark(gone, answer.unbound(), true);
        for (int i = 0; i < listed.size(); i++) {
            Waiting line = listed.get(i);
            if (!gone[i] && line.session().equals(line.client().session())) {
                ServerFrame ack =
                        new ServerFrame.KeepAliveAck(line.sendNumber(), renewed[i], answer.epoch(), cached[i]);
                told.add(new Told(line.client(), ack));
            }
        }
        return told;
    }

    private static void mark(boolean[] lines, List<Integer> which, boolean as) {
        for (int line : which) {
            if (line >= 0 && line < lines.length) {
                lines[line] = as;
            }
        }
    }

    /**
     * Nothing of a batch was renewed. Clients are told if the lead is in doubt; of a leader that has too much to do they are not, as
     * that would interrupt all of them at once: they repeat their KeepAlives by themselves.
     */
    List<Told> refused(DownstreamFrame.KeepAlivesRefused answer) {
        List<Told> told = new ArrayList<>();
        List<Waiting> listed = inFlight.remove(answer.number());
        if (listed != null && answer.code() == ErrorCode.UNAVAILABLE) {
            for (Waiting line : listed) {
                if (line.session().equals(line.client().session())) {
                    ServerFrame.Refused refused = new ServerFrame.Refused(0, answer.code(), true, answer.reason());
                    told.add(new Told(line.client(), refused));
                }
            }
        }
        return told;
    }

    /** The link ended: what was on it is not answered, and what waits was sent before its client knew. */
    void linkEnded() {
        waiting.clear();
        inFlight.clear();
        dueNanos = NEVER;
    }
}
