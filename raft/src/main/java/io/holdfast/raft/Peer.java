package io.holdfast.raft;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What a leader knows about one other member.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) {@code match < next}; (2) {@code match} never falls; (3)
 * {@code snapshot} is non-null exactly in mode SNAPSHOT.
 *
 * <p><b>Source:</b> thesis §10.2.1 (pipelining); etcd-io/raft's progress.
 */
final class Peer {
    /** How entries go to a peer. */
    enum Mode {
        /** Where its log meets ours is not known, or something was lost: one message at a time. */
        PROBE,
        /** Entries are sent without waiting for answers. */
        PIPELINE,
        /** The entries it needs are compacted: it is sent a snapshot. */
        SNAPSHOT
    }

    private final ReplicaId id;
    private Mode mode = Mode.PROBE;
    private long match;
    private long next;
    /** Last index of each append that is on its way, oldest first; only in mode PIPELINE. */
    private final ArrayDeque<Long> inflight = new ArrayDeque<>();
    /** A probe is on its way; only in mode PROBE. */
    private boolean awaitsProbe;
    /** The probe may carry entries, since it probably fits. */
    private boolean probeWithEntries = true;

    private boolean beatDue = true;
    private long contactNanos;
    private long sentRound;
    private long echoedRound;
    private @Nullable OutgoingSnapshot snapshot;

    Peer(ReplicaId id, long next, long nowNanos) {
        this.id = id;
        this.next = next;
        this.contactNanos = nowNanos;
    }

    ReplicaId id() {
        return id;
    }

    Mode mode() {
        return mode;
    }

    /** Its log equals ours up to here and is durable there. */
    long match() {
        return match;
    }

    /** The next entry to send. */
    long next() {
        return next;
    }

    /** When it was last heard in this term; when it became a peer if never. */
    long contactNanos() {
        return contactNanos;
    }

    long sentRound() {
        return sentRound;
    }

    /** Newest ReadIndex round of this term that it has answered. */
    long echoedRound() {
        return echoedRound;
    }

    @Nullable
    OutgoingSnapshot snapshot() {
        return snapshot;
    }

    void heard(long nowNanos, long round) {
        contactNanos = nowNanos;
        echoedRound = Math.max(echoedRound, round);
    }

    boolean isBeatDue() {
        return beatDue;
    }

    void beat() {
        beatDue = true;
    }

    boolean wantsProbe() {
        return mode == Mode.PROBE && !awaitsProbe;
    }

    boolean probesWithEntries() {
        return probeWithEntries;
    }

    boolean hasRoomFor(int maxInflight) {
        return mode == Mode.PIPELINE && inflight.size() < maxInflight;
    }

    /** An append or heartbeat has gone out. */
    void sent(int entryCount, long round) {
        beatDue = false;
        sentRound = round;
        if (mode == Mode.PROBE) {
            awaitsProbe = true;
        } else if (mode == Mode.PIPELINE && entryCount > 0) {
            next += entryCount;
            inflight.add(next - 1);
        }
    }

    /** It has acknowledged everything up to {@code index}. */
    void acknowledged(long index) {
        match = Math.max(match, index);
        while (!inflight.isEmpty() && inflight.peekFirst() <= match) {
            inflight.removeFirst();
        }
        if (mode == Mode.PROBE && match >= next - 1) {
            pipeline();
        }
        next = Math.max(next, match + 1);
    }

    /** Sends from the first unacknowledged entry on. */
    void pipeline() {
        snapshot = null;
        inflight.clear();
        mode = Mode.PIPELINE;
        next = match + 1;
    }

    /** Something was lost: asks again where the logs meet, beginning after what is certain. */
    void probeAfterLoss() {
        inflight.clear();
        mode = Mode.PROBE;
        next = match + 1;
        awaitsProbe = false;
        probeWithEntries = true;
    }

    /** A probe did not fit: goes down to {@code candidate}, by at least one, never below what is certain. */
    void probeLower(long candidate) {
        next = Math.max(match + 1, Math.min(candidate, next - 1));
        awaitsProbe = false;
        probeWithEntries = false;
    }

    void startSnapshot(OutgoingSnapshot outgoing) {
        inflight.clear();
        mode = Mode.SNAPSHOT;
        snapshot = outgoing;
    }
}
