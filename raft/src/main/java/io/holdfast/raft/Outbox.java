package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.Envelope;
import io.holdfast.raft.RaftOutput.Proposed;
import io.holdfast.raft.RaftOutput.ReadChunk;
import io.holdfast.raft.RaftOutput.ReadConfirmed;
import io.holdfast.raft.RaftOutput.Refused;
import io.holdfast.raft.RaftOutput.WriteChunk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What waits for the next output, and the messages that may not leave before the disk has caught up.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) no message leaves before the term and vote it was sent under are
 * durable (thesis figure 3.1; scenario C08); (2) withheld messages of an older term are dropped, never sent late.
 */
final class Outbox {
    private record Withheld(long sequence, Envelope envelope) {}

    private final Durability durability;
    private final ArrayDeque<Withheld> withheld = new ArrayDeque<>();
    private ArrayList<Envelope> messages = new ArrayList<>();
    private ArrayList<Proposed> proposed = new ArrayList<>();
    private ArrayList<Refused> refused = new ArrayList<>();
    private ArrayList<ReadConfirmed> reads = new ArrayList<>();
    private ArrayList<ReadChunk> readChunks = new ArrayList<>();
    private ArrayList<WriteChunk> writeChunks = new ArrayList<>();

    Outbox(Durability durability) {
        this.durability = durability;
    }

    /** Sends at once if term and vote are durable, else as soon as they are. */
    void send(ReplicaId to, RaftMessage message) {
        Envelope envelope = new Envelope(to, message);
        if (mayLeaveNow()) {
            messages.add(envelope);
        } else {
            withheld.add(new Withheld(durability.hardStateNeeds(), envelope));
        }
    }

    /** Term and vote are durable before any message that depends on them leaves (thesis figure 3.1). */
    private boolean mayLeaveNow() {
        return durability.hardStateIsDurable();
    }

    /** The disk has caught up to some degree: lets go what waited for it. */
    void release() {
        for (Withheld first = withheld.peekFirst(); first != null; first = withheld.peekFirst()) {
            if (first.sequence() > durability.confirmedSequence()) {
                break;
            }
            messages.add(first.envelope());
            withheld.removeFirst();
        }
    }

    /** The term has changed: what was to be said in the old one is said no more. */
    void dropWithheld() {
        withheld.clear();
    }

    void proposed(Proposed done) {
        proposed.add(done);
    }

    void refuse(long tag, Refused.Reason reason) {
        refused.add(new Refused(tag, reason));
    }

    void confirmRead(long tag, long index) {
        reads.add(new ReadConfirmed(tag, index));
    }

    void readChunk(ReadChunk request) {
        readChunks.add(request);
    }

    void writeChunk(WriteChunk request) {
        writeChunks.add(request);
    }

    boolean isEmpty() {
        return messages.isEmpty()
                && proposed.isEmpty()
                && refused.isEmpty()
                && reads.isEmpty()
                && readChunks.isEmpty()
                && writeChunks.isEmpty();
    }

    List<Envelope> takeMessages() {
        List<Envelope> taken = messages;
        messages = new ArrayList<>();
        return taken;
    }

    List<Proposed> takeProposed() {
        List<Proposed> taken = proposed;
        proposed = new ArrayList<>();
        return taken;
    }

    List<Refused> takeRefused() {
        List<Refused> taken = refused;
        refused = new ArrayList<>();
        return taken;
    }

    List<ReadConfirmed> takeReads() {
        List<ReadConfirmed> taken = reads;
        reads = new ArrayList<>();
        return taken;
    }

    List<ReadChunk> takeReadChunks() {
        List<ReadChunk> taken = readChunks;
        readChunks = new ArrayList<>();
        return taken;
    }

    List<WriteChunk> takeWriteChunks() {
        List<WriteChunk> taken = writeChunks;
        writeChunks = new ArrayList<>();
        return taken;
    }
}
