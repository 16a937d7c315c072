package io.holdfast.replica;

import io.holdfast.cell.leader.EndingKeeper;
import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ServerFrame;

/**
 * Ends sessions and places from outside, at the leader: marks what an operator names, tells its client, and takes the client's
 * word that it has let go (R3.6). What follows from that is {@link Deadlines}' business.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b> 1. Nothing is marked but what the state had after a leadership check that began when the operator's
 * question was here (R2.6). 2. The word of a session is taken only from the stream that speaks for it.
 *
 * <p><b>Source:</b> R3.6, ADR 0010.
 */
final class EndingDesk {
    private final CellDriver driver;
    private final LoopShared shared;
    private final ClientStreams streams;
    private final Deadlines deadlines;

    EndingDesk(CellDriver driver, LoopShared shared, ClientStreams streams, Deadlines deadlines) {
        this.driver = driver;
        this.shared = shared;
        this.streams = streams;
        this.deadlines = deadlines;
    }

    /** Whether an operation is one that is asked for here, and not in the log. */
    static boolean isFor(Operation operation) {
        return operation instanceof Operation.BreakPlace || operation instanceof Operation.EndSession;
    }

    /** What a session is told that ended because of this. */
    static String endOfSession(Ending by) {
        return by instanceof Ending.OfPlace broken
                ? "its lease ran out while an operator broke its place " + broken.place()
                : "expired by an operator";
    }

    /** An operator asks, and the lead was confirmed since. Asking again changes nothing, and tells how far it is. */
    Outcome asked(Operation operation) {
        if (operation instanceof Operation.BreakPlace broken) {
            return breakPlace(broken.place(), broken.token());
        }
        return endSession(((Operation.EndSession) operation).session());
    }

    private Outcome endSession(SessionId session) {
        if (!driver.machine().isOpen(session)) {
            return new Outcome.Failed(ErrorCode.NOT_FOUND, "no session " + session + "; it has ended or never was");
        }
        return begin(new Ending.OfSession(session));
    }

    private Outcome breakPlace(NodePath place, FencingToken token) {
        Answer.NodeStat stat =
                driver.machine().query(new Query.Stat(place)) instanceof Answer.NodeStat found ? found : null;
        if (stat == null || stat.kind() != NodeKind.PLACE || stat.createRevision() != token.value()) {
            return new Outcome.Failed(ErrorCode.NOT_FOUND, "no place " + place + " with token " + token);
        }
        SessionId owner = stat.session();
        if (owner == null) { // R4.6: in its lock-delay
            deadlines.endings().beginUnowned(place, token, shared.now());
            return new Outcome.BeingEnded(null, "", true, 0);
        }
        return begin(new Ending.OfPlace(owner, place, token));
    }

    private Outcome begin(Ending ending) {
        EndingKeeper endings = deadlines.endings();
        if (endings.begin(ending)) {
            tell(ending);
        }
        SessionId session = ending.session();
        return new Outcome.BeingEnded(
                session,
                clientName(session),
                endings.hasLetGo(ending),
                endings.hasLetGo(ending) ? 0 : deadlines.remainingMillis(session, shared.now()));
    }

    private String clientName(SessionId session) {
        Query query = new Query.ListSessions(new SessionId(session.value() - 1), 1);
        return driver.machine().query(query) instanceof Answer.Sessions found
                        && !found.sessions().isEmpty()
                ? found.sessions().get(0).clientName()
                : "";
    }

    /** A stream speaks for this session now: it hears again what it has to let go of. */
    void tell(SessionId session) {
        deadlines.endings().waitingFor(session).forEach(this::tell);
    }

    private void tell(Ending ending) {
        ClientStream stream = streams.streamOf(ending.session());
        if (stream != null) {
            String reason = ending instanceof Ending.OfPlace ? "broken by an operator" : "expired by an operator";
            streams.send(stream, new ServerFrame.EndingNotice(ending, reason));
        }
    }

    /** A client has let go. */
    void acknowledged(ClientStream stream, Ending ending) {
        if (ending.session().equals(stream.session())) { // R3.1: its stream knows the secret
            deadlines.endings().letGo(ending, shared.now());
        }
    }
}
