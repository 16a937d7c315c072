package io.holdfast.replica;

import io.holdfast.cell.AppliedEntry;
import io.holdfast.cell.CellEvent;
import io.holdfast.cell.Command;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.raft.Invariants;
import io.holdfast.raft.RaftOutput;
import io.holdfast.raft.RaftOutput.Refused.Reason;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a replica does for clients while it leads one term.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>Until the no-op of its term is applied it answers, confirms and proposes nothing; frames wait (R2.4).
 *   <li>Nothing is answered but from an applied entry of this term or after a leadership check that began when the question
 *       was here (R2.6).
 *   <li>It is made anew for each term and dropped when the lead is lost; whoever waits is told whether the outcome is
 *       known.
 * </ol>
 */
final class LeaderService implements ReadQueue.Settler {
    /** Frames that may wait for the takeover. */
    static final int MAX_PARKED = 10_000;
    /** Most bytes of them. */
    static final long MAX_PARKED_BYTES = 32L << 20;

    private static final String DEPOSED = "the leader changed";

    private record Parked(long link, UpstreamFrame frame) {
        boolean isOf(long otherLink, long stream) {
            return link == otherLink && frame instanceof UpstreamFrame.Forward forward && forward.stream() == stream;
        }
    }

    private final CellDriver driver;
    private final LoopShared shared;
    private final long term;
    private final ClientStreams streams;
    private final CommitWatch commits;
    private final ProposalQueue proposals;
    private final ReadQueue reads;
    private final Deadlines deadlines;
    private final ClientRequests requests;
    private final CellAnswers answers;
    private final Watches watches;
    private final EntryReplies replies;
    private final EndingDesk endings;
    private final KeepAliveDesk keepAlives;
    private final LeaseDesk leases;
    private final CacheDesk caches;
    private final WriteGate gate;
    private final ArrayDeque<Parked> parked = new ArrayDeque<>();
    /** Bytes of what was parked since the lead began; what was parked and has gone with its link still counts. */
    private long parkedBytes;

    private boolean serving;

    LeaderService(CellDriver driver, LoopShared shared, long term) {
        this.driver = driver;
        this.shared = shared;
        this.term = term;
        this.streams = new ClientStreams(driver.upstream());
        this.commits = new CommitWatch(driver, shared);
        this.proposals = new ProposalQueue(driver, shared, streams, term, commits);
        this.reads = new ReadQueue(driver, this);
        this.deadlines = new Deadlines(term);
        this.endings = new EndingDesk(driver, shared, streams, deadlines);
        this.caches = new CacheDesk(driver, shared, streams, term);
        this.gate = new WriteGate(driver, shared, streams, caches, proposals, reads);
        this.keepAlives = new KeepAliveDesk(driver, shared, streams, reads, deadlines, caches, term);
        this.leases = new LeaseDesk(driver, shared, streams, proposals, reads, deadlines);
        this.requests = new ClientRequests(streams, proposals, reads, endings, leases, gate, caches);
        this.answers = new CellAnswers(driver, shared, deadlines, () -> caches.report(gate.waiting()));
        this.watches = new Watches(driver, streams, shared.meter());
        this.replies = new EntryReplies(driver, shared, streams, deadlines, watches, leases, term);
    }

    long term() {
        return term;
    }

    boolean isServing() {
        return serving;
    }

    // ---- the lead begins and ends

    /** The no-op of this term is applied, and with it all that earlier leaders committed (R2.4, C36). */
    void takeOver() {
        Invariants.check(!serving, "second takeover in term %d", term, 0);
        deadlines.takeOver(driver.machine(), shared.now());
        caches.takeOver(); // R6.6
        serving = true;
        commits.progressed();
        shared.seams().listener().serving(driver.id(), term);
        for (Parked next = parked.poll(); next != null; next = parked.poll()) {
            accept(next.link(), next.frame());
        }
    }

    /** The lead is lost. */
    void deposed() {
        proposals.deposed(DEPOSED);
        gate.deposed(DEPOSED);
        reads.deposed(DEPOSED);
        leases.deposed(DEPOSED);
        Set<Long> links = new TreeSet<>(streams.links());
        for (Parked waiting : parked) {
            links.add(waiting.link());
            if (waiting.frame() instanceof UpstreamFrame.Forward forward) {
                refuseUnknown(waiting.link(), forward, ErrorCode.UNAVAILABLE, DEPOSED);
            } else if (waiting.frame() instanceof UpstreamFrame.KeepAlives batch) {
                keepAlives.refused(waiting.link(), batch, ErrorCode.UNAVAILABLE, DEPOSED);
            } else if (waiting.frame() instanceof UpstreamFrame.ClaimWatches claims) {
                watches.refused(waiting.link(), claims, ErrorCode.UNAVAILABLE, DEPOSED);
            }
        }
        String why = shared.settings().self().name() + " no longer leads cell " + driver.id();
        links.forEach(link -> ClientStreams.refuseLink(driver.upstream(), link, why));
    }

    void paused(long gapNanos) {
        commits.paused(gapNanos);
        if (serving) {
            deadlines.paused(gapNanos, driver.machine(), shared.now());
        }
    }

    long nextDeadlineNanos() {
        long next = serving ? gate.nextDeadlineNanos() : Long.MAX_VALUE;
        return serving && reads.canBegin()
                ? Math.min(next, Math.min(deadlines.nextDeadlineNanos(), proposals.nextDeadlineNanos()))
                : next;
    }

    /** Begins one check for all that waits for one, and proposes all that waits for that. */
    void flush() {
        if (commits.look(!serving || proposals.areOut())) { // first the no-op is out
            proposals.refuseWaiting();
            parked.removeIf(waiting -> refuseCommand(waiting.link(), waiting.frame()));
        }
        if (!serving) { // R2.4
            return;
        }
        reads.serve();
        if (reads.canBegin()) {
            reads.begin(deadlines.prepare(shared.now()));
        }
        gate.flush();
        proposals.flush();
    }

    // ---- frames of clients

    void onFrame(long link, UpstreamFrame frame) {
        if (serving) { // R2.4: before the takeover everything waits
            accept(link, frame);
        } else if (frame instanceof UpstreamFrame.DropWatches || (commits.isStalled() && refuseCommand(link, frame))) {
            return; // nothing is registered yet, nor will be what is withdrawn: its stream is closed by a frame that
            // waits
        } else if (parked.size() < MAX_PARKED && parkedBytes + RequestChecks.payloadBytes(frame) <= MAX_PARKED_BYTES) {
            parkedBytes += RequestChecks.payloadBytes(frame);
            parked.add(new Parked(link, frame));
        } else if (frame instanceof UpstreamFrame.StreamClosed closed) {
            // Full: what it asked for goes with it, so that no stream is made for it at the takeover.
            parked.removeIf(waiting -> waiting.isOf(link, closed.stream()));
        } else if (frame instanceof UpstreamFrame.Forward forward) {
            refuseUnknown(link, forward, ErrorCode.BUSY, "too much waits for the new leader");
        } else if (frame instanceof UpstreamFrame.KeepAlives batch) {
            keepAlives.refused(link, batch, ErrorCode.BUSY, "too much waits for the new leader");
        } else if (frame instanceof UpstreamFrame.ClaimWatches claims) {
            watches.refused(link, claims, ErrorCode.BUSY, "too much waits for the new leader");
        }
    }

    /** Before the takeover: a command would wait in vain. False if it is none. */
    private boolean refuseCommand(long link, UpstreamFrame frame) {
        if (frame instanceof UpstreamFrame.Forward forward && ClientRequests.isCommand(forward.frame())) {
            refuseUnknown(link, forward, ErrorCode.UNAVAILABLE, CommitWatch.WHY);
            return true;
        }
        return false;
    }

    void linkClosed(long link) {
        parked.removeIf(waiting -> waiting.link() == link);
        streams.linkClosed(link);
        watches.linkGone(link);
    }

    private void accept(long link, UpstreamFrame frame) {
        if (frame instanceof UpstreamFrame.StreamClosed closed) {
            streams.streamClosed(link, closed.stream());
        } else if (frame instanceof UpstreamFrame.KeepAlives batch) {
            keepAlives.arrived(link, batch);
        } else if (frame instanceof UpstreamFrame.ClaimWatches claims) {
            reads.add(new ReadQueue.WatchClaims(link, claims)); // R2.6
        } else if (frame instanceof UpstreamFrame.DropWatches drop) {
            watches.drop(link, drop.watches());
        } else if (frame instanceof UpstreamFrame.Forward forward) {
            ClientStream stream = streams.stream(link, forward.stream());
            if (stream == null) {
                refuseUnknown(link, forward, ErrorCode.BUSY, "too many client streams");
            } else {
                accept(stream, forward.frame());
            }
        }
    }

    private void accept(ClientStream stream, ClientFrame frame) {
        if (!stream.isAttaching()) {
            requests.handle(stream, frame);
        } else if (!stream.hold(frame)) {
            streams.refuse(stream, ClientRequests.idOf(frame), ErrorCode.BUSY, true, "too much waits for the attach");
        }
    }

    private void refuseUnknown(long link, UpstreamFrame.Forward forward, ErrorCode code, String why) {
        streams.sendTo(
                link, forward.stream(), new ServerFrame.Refused(ClientRequests.idOf(forward.frame()), code, true, why));
    }

    // ---- what consensus says

    void proposed(RaftOutput.Proposed proposed) {
        proposals.proposed(proposed.tag(), proposed.index());
    }

    void refused(RaftOutput.Refused refused) {
        if (!proposals.refused(refused.tag(), refused.reason())) {
            ErrorCode code = refused.reason() == Reason.BUSY ? ErrorCode.BUSY : ErrorCode.UNAVAILABLE;
            reads.refused(refused.tag(), code, "the lead could not be confirmed");
        }
    }

    /** An entry was applied; entries of earlier terms are nobody's business here. */
    void applied(long entryTerm, AppliedEntry applied) {
        commits.progressed();
        if (entryTerm != term) {
            return;
        }
        ProposalQueue.Proposal proposal = proposals.applied(applied.index());
        replies.answer(applied, proposal);
        for (CellEvent event : applied.events()) {
            if (event instanceof CellEvent.SessionEnded ended) {
                caches.table().ended(ended.session());
            }
        }
        if (proposal != null) {
            proposal.commands().forEach(command -> gate.ended(command.command())); // R6.3: not before it is applied
            long nanos = shared.now() - proposal.proposedNanos();
            shared.meter().committed(driver.id(), proposal.commands().size(), nanos);
        }
    }

    void confirmed(RaftOutput.ReadConfirmed confirmed) {
        reads.confirmed(confirmed.tag(), confirmed.index());
    }

    // ---- what was confirmed

    @Override
    public void confirmed(ReadQueue.KeepAlive keepAlive) {
        keepAlives.confirmed(keepAlive);
    }

    @Override
    public void confirmed(ReadQueue.KeepAliveBatch batch) {
        keepAlives.confirmed(batch);
    }

    @Override
    public void judge(Deadlines.Judgement judgement) {
        List<Command> ends = deadlines.judge(judgement);
        ends.forEach(end -> proposals.addOwn(end, RequestChecks.payloadBytes(end)));
        leases.judged(ends);
    }

    @Override
    public void confirmed(ReadQueue.Attach attach) {
        ClientStream stream = attach.stream();
        stream.setAttaching(false);
        if (!stream.isClosed()) {
            attach(stream, attach.frame());
            for (ClientFrame next = stream.nextHeld(); next != null; next = stream.nextHeld()) {
                requests.handle(stream, next);
                if (stream.isAttaching()) {
                    break;
                }
            }
        }
    }

    private void attach(ClientStream stream, ClientFrame.Attach attach) {
        SessionId session = attach.session();
        if (!driver.machine().isOpen(session)) {
            streams.send(stream, new ServerFrame.SessionEnded(session, "the cell knows no such session"));
        } else if (!driver.machine().authorises(session, attach.secret())) { // R3.1
            streams.refuse(stream, 0, ErrorCode.FORBIDDEN, true, "the secret is not that of session " + session);
        } else if (streams.isOlderAttachment(session, attach.attachment())) { // R6.4, C33
            streams.refuse(
                    stream, 0, ErrorCode.REPLACED, true, "a later attachment of session " + session + " is here");
        } else {
            if (streams.isLaterAttachment(session, attach.attachment())) {
                caches.table().attached(session); // R6.4: it was emptied before this was sent
            }
            streams.bind(stream, session, attach.attachment());
            streams.send(stream, new ServerFrame.Attached(session, attach.attachment(), term));
            endings.tell(session); // R3.6: it may not have heard where it was before
        }
    }

    @Override
    public void confirmed(ReadQueue.Read read) {
        SessionId session = read.stream().session();
        if (read.watch() != 0 && session == null) {
            streams.refuseUnbound(read.stream(), read.callId());
            return;
        }
        Answer answer = answers.answer(read.query());
        if (read.watch() != 0) {
            answer = watches.register(read, answer); // R5.1: in the step that answers
        }
        long revision = driver.machine().revision();
        streams.send(read.stream(), new ServerFrame.ReadReply(read.callId(), answer, revision, fill(read, session)));
        shared.meter().readAnswered(driver.id());
    }

    /** R6.2: registered in the step that answers, on the stream that speaks for the session; R6.3: never while a write is on its way. */
    private ServerFrame.@Nullable Fill fill(ReadQueue.Read read, @Nullable SessionId session) {
        boolean may = read.cacheable()
                && session != null
                && read.query() instanceof Query.GetValue get
                && !gate.isMarked(get.path());
        return may && session != null ? caches.fill(session, ((Query.GetValue) read.query()).path()) : null;
    }

    @Override
    public void confirmed(ReadQueue.Check check) {
        gate.checked(check.write());
    }

    @Override
    public void confirmed(ReadQueue.WatchClaims claims) {
        watches.claim(claims);
    }

    @Override
    public void refused(ReadQueue.WatchClaims claims, ErrorCode code, String why) {
        watches.refused(claims.link(), claims.frame(), code, why);
    }

    @Override
    public void confirmed(ReadQueue.End end) {
        streams.send(end.stream(), new ServerFrame.Reply(end.callId(), endings.asked(end.operation())));
    }

    @Override
    public void confirmed(ReadQueue.Lease lease) {
        leases.confirmed(lease);
    }

    @Override
    public boolean mustSeeTheState(ReadQueue.Lease renewal) {
        return leases.isReleasing(renewal.call().name());
    }

    @Override
    public void refused(ReadQueue.KeepAliveBatch batch, ErrorCode code, String why) {
        keepAlives.refused(batch, code, why);
    }

    @Override
    public void refused(ReadQueue.OfStream waiting, ErrorCode code, String why) {
        ClientStream stream = waiting.stream();
        streams.refuse(stream, waiting.id(), code, true, why);
        if (waiting instanceof ReadQueue.Check check) {
            gate.uncheckable(check.write());
        }
        if (waiting instanceof ReadQueue.Attach) {
            stream.setAttaching(false);
            for (ClientFrame frame = stream.nextHeld(); frame != null; frame = stream.nextHeld()) {
                streams.refuse(stream, ClientRequests.idOf(frame), code, true, why);
            }
        }
    }

    int watchCount() {
        return watches.size();
    }

    ReplicaStatus.Caches cacheView() {
        return caches.view();
    }

    @Override
    public void refused(Deadlines.Judgement judgement) {
        deadlines.refused(judgement);
    }
}
