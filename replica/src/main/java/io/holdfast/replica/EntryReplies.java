package io.holdfast.replica;

import io.holdfast.cell.AppliedEntry;
import io.holdfast.cell.CellEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.raft.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells clients what came of an entry: events first, then the outcomes in the order of the commands (R5.2).
 *
 * <p>A place that was made and granted within one entry is told once, by the reply to its request: whether it is held is
 * judged when answering (R2.7), and the event, which the client could not understand yet, is left out. Ends of sessions
 * come last, behind the replies that they made.
 *
 * <p><b>Thread:</b> the loop.
 */
final class EntryReplies {
    private final CellDriver driver;
    private final LoopShared shared;
    private final ClientStreams streams;
    private final Deadlines deadlines;
    private final Watches watches;
    private final LeaseDesk leases;
    private final LockWaits waits;
    private final long term;

    /**
     * A session's end.
     *
     * @param by what an operator was ending of it; null if nothing
     */
    private record Ended(
            CellEvent.SessionEnded event, @Nullable Ending by) {}

    EntryReplies(
            CellDriver driver,
            LoopShared shared,
            ClientStreams streams,
            Deadlines deadlines,
            Watches watches,
            LeaseDesk leases,
            long term) {
        this.driver = driver;
        this.shared = shared;
        this.streams = streams;
        this.deadlines = deadlines;
        this.watches = watches;
        this.leases = leases;
        this.waits = new LockWaits(driver.id(), shared.meter());
        this.term = term;
    }

    void answer(AppliedEntry applied, ProposalQueue.@Nullable Proposal proposal) {
        Map<NodePath, ClientStream> answered = placesToAnswer(applied, proposal);
        Set<SessionId> opened = new TreeSet<>();
        List<Ended> ended = endedBy(applied.events());
        for (CellEvent event : applied.events()) {
            deadlines.applied(event, shared.now());
            waits.applied(event, shared.now());
            if (event instanceof CellEvent.SessionOpened open) {
                opened.add(open.session());
            } else if (!(event instanceof CellEvent.SessionEnded)) {
                tell(event, answered);
            }
        }
        watches.applied(applied);
        if (proposal != null) {
            Invariants.check(
                    proposal.commands().size() == applied.outcomes().size(),
                    "%d commands had %d outcomes",
                    proposal.commands().size(),
                    applied.outcomes().size());
            for (int i = 0; i < applied.outcomes().size(); i++) {
                reply(proposal.commands().get(i), applied.outcomes().get(i), opened);
            }
        }
        leases.applied(applied.events());
        ended.forEach(this::tellEnd);
    }

    /** Asked before anything of the entry is taken note of: a session's places go before it does. */
    private List<Ended> endedBy(List<CellEvent> events) {
        List<Ended> ended = new ArrayList<>();
        for (CellEvent event : events) {
            if (event instanceof CellEvent.SessionEnded end) {
                ended.add(new Ended(end, deadlines.endings().endingOf(end.session())));
            }
        }
        return ended;
    }

    private void tellEnd(Ended ended) {
        SessionId session = ended.event().session();
        if (!ended.event().expired()) {
            streams.ended(session, "it was closed");
        } else if (ended.by() == null) {
            shared.meter().leaseRanOut(driver.id());
            streams.ended(session, "its lease ran out");
        } else {
            shared.meter().sessionEndedByOperator(driver.id());
            streams.ended(session, EndingDesk.endOfSession(ended.by()));
        }
    }

    /** Places that this entry made, with the stream that is about to hear of each. */
    private static Map<NodePath, ClientStream> placesToAnswer(
            AppliedEntry applied, ProposalQueue.@Nullable Proposal proposal) {
        Map<NodePath, ClientStream> places = new TreeMap<>();
        for (int i = 0; proposal != null && i < applied.outcomes().size(); i++) {
            Asker asker = proposal.commands().get(i).asker();
            if (asker != null && applied.outcomes().get(i) instanceof Outcome.Placed placed) {
                places.put(placed.place(), asker.stream());
            }
        }
        return places;
    }

    private void tell(CellEvent event, Map<NodePath, ClientStream> answered) {
        if (event instanceof CellEvent.Granted granted) {
            ClientStream stream = streams.streamOf(granted.session());
            if (stream != null && stream != answered.get(granted.place())) {
                streams.send(stream, new ServerFrame.Granted(granted.session(), granted.place(), granted.token()));
                shared.meter().grantTold(driver.id());
            }
        } else if (event instanceof CellEvent.PlaceRemoved removed) {
            ClientStream stream = streams.streamOf(removed.session());
            if (stream != null) {
                streams.send(stream, new ServerFrame.PlaceRemoved(removed.session(), removed.place(), removed.token()));
            }
        }
    }

    private void reply(ProposalQueue.Waiting command, Outcome outcome, Set<SessionId> opened) {
        Asker asker = command.asker();
        if (asker == null) {
            return;
        }
        if (asker.kind() == Asker.Kind.CALL) {
            Outcome judged = judgedNow(outcome);
            streams.send(asker.stream(), new ServerFrame.Reply(asker.id(), judged));
            waits.answered(judged, command.arrivedNanos(), shared.now());
        } else if (asker.kind() == Asker.Kind.LEASE) {
            leases.answer(asker, command.command(), outcome);
        } else if (outcome instanceof Outcome.SessionOpened open) {
            replyToOpen(asker, open, opened);
        } else if (outcome instanceof Outcome.Failed failed) {
            streams.refuse(asker.stream(), 0, failed.code(), true, failed.message());
        }
    }

    /**
     * Opened says that the lease runs from the send named, so for a session that was open before it must renew (R3.5). That
     * the entry was committed in this term is the leadership check, begun after the open arrived (R2.6).
     */
    private void replyToOpen(Asker asker, Outcome.SessionOpened open, Set<SessionId> opened) {
        SessionId session = open.session();
        if (opened.contains(session) || deadlines.renew(session, shared.now())) {
            if (!streams.isOlderAttachment(session, 0)) {
                streams.bind(asker.stream(), session, 0); // opening binds; any attach counts as later (R6.4)
            }
            streams.send(asker.stream(), new ServerFrame.Opened(asker.id(), session, open.leaseMillis(), term));
        } else {
            streams.send(asker.stream(), new ServerFrame.SessionEnded(session, "it is expiring"));
        }
    }

    /** R2.7, R4.2: a later command of the same entry may have changed who holds. */
    private Outcome judgedNow(Outcome outcome) {
        if (outcome instanceof Outcome.Placed placed
                && driver.machine().query(new Query.PlaceState(placed.place(), placed.token()))
                        instanceof Answer.Place place) {
            return new Outcome.Placed(placed.place(), placed.token(), place.held(), place.present());
        }
        return outcome;
    }
}
