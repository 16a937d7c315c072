package io.holdfast.client.session;

import io.holdfast.model.Ending;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an operator ends of this session, from the cell's notice until the acknowledgement (R3.6): the handles are dead at once,
 * the acknowledgement goes out when everybody who was told has returned.
 *
 * <p><b>Thread:</b> the machine's.
 *
 * <p><b>Invariants:</b> 1. Nothing is held of it from before its acknowledgement is sent. 2. An acknowledgement that does not
 * arrive is repeated only when the cell asks again; without one the cell waits until the lease that it promised is over.
 *
 * <p><b>Source:</b> R3.6, ADR 0010.
 */
final class Endings {
    private final Outbox outbox;
    private final Binding binding;
    private final LeaseClock lease;
    /** Told to the application, which has not returned yet. */
    private final TreeMap<Long, Ending> told = new TreeMap<>();

    private long lastNumber;
    /** How long the stream is kept for the session's acknowledgement and the cell's answer. */
    private long keepStreamUntil = Deadlines.NEVER;

    Endings(Outbox outbox, Binding binding, LeaseClock lease) {
        this.outbox = outbox;
        this.binding = binding;
        this.lease = lease;
    }

    /** The application has been told before this; when it has returned from that, {@link #returned} is to follow. */
    void ask(Ending ending, List<Hold> holds) {
        long number = ++lastNumber;
        told.put(number, ending);
        outbox.add(new SessionAction.AwaitTold(number, holds, ending instanceof Ending.OfSession));
    }

    boolean isTold(Ending ending) {
        return told.containsValue(ending);
    }

    /** The application has returned. */
    void returned(long number, LockMachine locks) {
        Ending ending = told.remove(number);
        if (ending != null) { // else it is settled already
            locks.letGo(ending);
            acknowledge(ending);
        }
    }

    /** Says that nothing of it is held; if the stream speaks for the session no more, the cell will ask again. */
    void acknowledge(Ending ending) {
        if (binding.isBound()) {
            outbox.send(new ClientFrame.EndingAck(ending)); // R3.6: after whatever it names is dead
            lease.requestKeepAlive(); // none was confirmed meanwhile
        }
    }

    /** The whole session is over for its client; the stream stays for the acknowledgement, at most until the lease's end. */
    void keepStreamUntil(long nanos) {
        keepStreamUntil = nanos;
    }

    boolean keepsStream() {
        return keepStreamUntil != Deadlines.NEVER;
    }

    long nextDeadline() {
        return keepStreamUntil;
    }

    /** The application closes, so nothing of it is used any more. */
    void closing(LockMachine locks) {
        for (Map.Entry<Long, Ending> next = told.firstEntry(); next != null; next = told.firstEntry()) {
            returned(next.getKey(), locks);
        }
    }

    /** The session has ended at the cell, or nobody waits for it any more. */
    void over() {
        told.clear();
        keepStreamUntil = Deadlines.NEVER;
    }
}
