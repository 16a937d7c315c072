package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftMessage.Envelope;
import io.holdfast.raft.RaftMessage.PreVoteResponse;
import io.holdfast.raft.RaftMessage.VoteResponse;
import io.holdfast.raft.RaftOutput.Persist;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One core under the test's hand: the others are played by the test. Its disk confirms at once unless held. */
final class TestCore {
    static final long MILLI = 1_000_000L;
    static final RaftConfig CONFIG =
            new RaftConfig(100 * MILLI, 1_000 * MILLI, 2_000 * MILLI, 200 * MILLI, 1_000, 200, 4, 16);

    final RaftCore core;
    final ReplicaId self;
    final List<Envelope> sent = new ArrayList<>();
    final List<Persist> persists = new ArrayList<>();
    final List<LogEntry> committed = new ArrayList<>();
    final List<RaftOutput.Proposed> proposed = new ArrayList<>();
    final List<RaftOutput.Refused> refused = new ArrayList<>();
    final List<RaftOutput.ReadConfirmed> reads = new ArrayList<>();
    final List<RaftOutput.ReadChunk> readChunks = new ArrayList<>();
    final List<RaftOutput.WriteChunk> writeChunks = new ArrayList<>();
    long now = 10_000 * MILLI;
    private boolean diskHeld;

    TestCore(ReplicaId self, RestoredState restored) {
        this.self = self;
        this.core = new RaftCore(self, CONFIG, bound -> bound / 2, restored, now);
        collect();
    }

    static ReplicaId id(String value) {
        return new ReplicaId(value);
    }

    static Membership voters(String... ids) {
        return Membership.ofVoters(List.of(ids).stream().map(ReplicaId::new).toList());
    }

    static LogEntry entry(long index, long term) {
        return new LogEntry(index, term, EntryType.COMMAND, new byte[] {(byte) index, (byte) term});
    }

    /** A log whose entries have the given terms, from index 1. */
    static List<LogEntry> log(long... terms) {
        List<LogEntry> log = new ArrayList<>();
        for (int i = 0; i < terms.length; i++) {
            log.add(entry(i + 1, terms[i]));
        }
        return log;
    }

    /** Replica r1 of r1, r2, r3 with a log of these terms, in the term of the last. */
    static TestCore ofThree(long... terms) {
        return of(voters("r1", "r2", "r3"), terms);
    }

    static TestCore ofFive(long... terms) {
        return of(voters("r1", "r2", "r3", "r4", "r5"), terms);
    }

    static TestCore of(Membership membership, long... terms) {
        long term = terms.length == 0 ? 0 : terms[terms.length - 1];
        return new TestCore(id("r1"), new RestoredState(new HardState(term, null), null, membership, 0, 0, log(terms)));
    }

    void holdDisk() {
        diskHeld = true;
    }

    /** The disk confirms everything handed out, and goes on confirming at once. */
    void releaseDisk() {
        diskHeld = false;
        confirmAll();
    }

    void confirmAll() {
        if (!persists.isEmpty()) {
            step(new RaftInput.Persisted(persists.get(persists.size() - 1).sequence()));
        }
    }

    void step(RaftInput input) {
        core.step(input, now);
        collect();
    }

    void receive(String from, RaftMessage message) {
        step(new RaftInput.Received(id(from), message));
    }

    void advance(long millis) {
        now += millis * MILLI;
        step(new RaftInput.Tick());
    }

    /** Goes to the next deadline, whatever it is for. */
    void tick() {
        now = Math.max(now, core.nextDeadlineNanos());
        step(new RaftInput.Tick());
    }

    private void collect() {
        while (core.hasOutput()) {
            RaftOutput output = core.takeOutput();
            sent.addAll(output.messages());
            committed.addAll(output.committed());
            proposed.addAll(output.proposed());
            refused.addAll(output.refused());
            reads.addAll(output.reads());
            readChunks.addAll(output.readChunks());
            writeChunks.addAll(output.writeChunks());
            Persist persist = output.persist();
            if (persist != null) {
                persists.add(persist);
                if (!diskHeld) {
                    core.step(new RaftInput.Persisted(persist.sequence()), now);
                }
            }
        }
    }

    RaftStatus status() {
        return core.status();
    }

    long term() {
        return core.status().term();
    }

    /** Messages of one kind sent since the last {@link #clear()}. */
    <M extends RaftMessage> List<M> sent(Class<M> kind) {
        return sent.stream()
                .map(Envelope::message)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** Messages of one kind sent to one replica since the last {@link #clear()}. */
    <M extends RaftMessage> List<M> sentTo(String to, Class<M> kind) {
        return sent.stream()
                .filter(envelope -> envelope.to().equals(id(to)))
                .map(Envelope::message)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    <M extends RaftMessage> @Nullable M lastTo(String to, Class<M> kind) {
        List<M> all = sentTo(to, kind);
        return all.isEmpty() ? null : all.get(all.size() - 1);
    }

    void clear() {
        sent.clear();
        refused.clear();
        reads.clear();
        readChunks.clear();
        writeChunks.clear();
        committed.clear();
        proposed.clear();
    }

    /** Times out and wins the election with the votes of {@code helpers}; the no-op is not acknowledged. */
    TestCore elect(String... helpers) {
        stand(helpers);
        for (String helper : helpers) {
            receive(helper, new VoteResponse(term(), true));
        }
        return this;
    }

    /** Times out and is a candidate by the pre-votes of {@code helpers}. */
    TestCore stand(String... helpers) {
        tick();
        long term = term() + 1;
        for (String helper : helpers) {
            receive(helper, new PreVoteResponse(term - 1, term, true));
        }
        return this;
    }

    /** Of five: stands, and neither wins nor loses. */
    TestCore split() {
        stand("r2", "r3");
        receive("r4", new VoteResponse(term(), false));
        receive("r5", new VoteResponse(term(), false));
        return this;
    }

    /** Elected, with the no-op committed by {@code helpers}. */
    TestCore lead(String... helpers) {
        elect(helpers);
        for (String helper : helpers) {
            ack(helper, status().lastIndex());
        }
        clear();
        return this;
    }

    void ack(String from, long matchIndex) {
        ack(from, matchIndex, 0);
    }

    void ack(String from, long matchIndex, long round) {
        receive(from, new AppendResponse(term(), true, matchIndex, 0, 0, round));
    }

    void propose(int sizeBytes) {
        step(new RaftInput.Propose(proposed.size() + 100, new byte[sizeBytes]));
    }

    /** An append from {@code from} in {@code term}. */
    void append(String from, long term, long prevIndex, long prevTerm, long commit, LogEntry... entries) {
        receive(from, new AppendRequest(term, prevIndex, prevTerm, List.of(entries), commit, 0));
    }
}
