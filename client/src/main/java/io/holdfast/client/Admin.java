package io.holdfast.client;

import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * What an operator asks of a cell. None needs a session; the questions are linearizable reads.
 *
 * <p><b>Thread:</b> any.
 */
public final class Admin {
    private final CallDesk desk;

    Admin(CallDesk desk) {
        this.desk = desk;
    }

    private static final CallKind<Answer.Status> STATUS = CallDesk.kind(Answer.Status.class, status -> status);
    private static final CallKind<Answer.NodeStat> STAT = CallDesk.kind(Answer.NodeStat.class, stat -> stat);
    private static final CallKind<Boolean> CHECK = CallDesk.kind(Answer.TokenCheck.class, Answer.TokenCheck::current);

    private static final CallKind<Outcome.BeingEnded> BEING_ENDED =
            CallDesk.kind(Outcome.BeingEnded.class, ending -> ending);

    /** The cell as its leader sees it. */
    public Answer.Status status() {
        return desk.call(STATUS, read(new Query.CellStatus()));
    }

    public CompletableFuture<Answer.Status> statusAsync() {
        return desk.async(STATUS, read(new Query.CellStatus()));
    }

    /**
     * A node of any kind.
     *
     * @throws RefusedException with NOT_FOUND if there is none
     */
    public Answer.NodeStat stat(String path) {
        return desk.call(STAT, read(new Query.Stat(Paths.parse(path))));
    }

    public CompletableFuture<Answer.NodeStat> statAsync(String path) {
        return desk.async(STAT, read(new Query.Stat(Paths.parse(path))));
    }

    /** Whether the token is a present hold's of the lock. */
    public boolean checkToken(String lock, FencingToken token) {
        return desk.call(CHECK, read(new Query.CheckToken(Paths.parse(lock), token)));
    }

    public CompletableFuture<Boolean> checkTokenAsync(String lock, FencingToken token) {
        return desk.async(CHECK, read(new Query.CheckToken(Paths.parse(lock), token)));
    }

    /** All places, held and waiting, of the locks at and below a path; in path order, then token order. */
    public List<Answer.PlaceInfo> locks(String prefix) {
        return places(prefix).all(desk);
    }

    public CompletableFuture<List<Answer.PlaceInfo>> locksAsync(String prefix) {
        return places(prefix).allAsync(desk);
    }

    /** All sessions by id. */
    public List<Answer.SessionInfo> sessions() {
        return SESSIONS.all(desk);
    }

    public CompletableFuture<List<Answer.SessionInfo>> sessionsAsync() {
        return SESSIONS.allAsync(desk);
    }

    private static final Pages<Answer.Sessions, Answer.SessionInfo, SessionId> SESSIONS = new Pages<>(
            Answer.Sessions.class,
            new SessionId(0),
            after -> new Query.ListSessions(after, Limits.MAX_PAGE_ENTRIES),
            page -> new Pages.Page<>(page.sessions(), page.more()),
            Answer.SessionInfo::session);

    private static Pages<Answer.Places, Answer.PlaceInfo, NodePath> places(String prefix) {
        NodePath parsed = Paths.parse(prefix);
        return new Pages<>(
                Answer.Places.class,
                NodePath.ROOT,
                after -> new Query.ListPlaces(parsed, after, Limits.MAX_PAGE_ENTRIES),
                page -> new Pages.Page<>(page.places(), page.more()),
                Answer.PlaceInfo::place);
    }

    /**
     * Asks for the end of exactly this place, held or waiting or in its lock-delay (R3.6): its client is told to let go, and
     * when it has, or its session's lease is over, the next is let in. Without an acknowledgement the whole session ends.
     * Returns at once with for whom the cell waits; asked again it changes nothing and tells how far it is.
     *
     * @throws RefusedException with NOT_FOUND if there is no such place (any more)
     * @throws UnknownOutcomeException if no answer came; asking again is harmless
     */
    public Outcome.BeingEnded breakPlace(String place, FencingToken token) {
        return desk.call(BEING_ENDED, oneShot(new Operation.BreakPlace(Paths.parse(place), token)));
    }

    public CompletableFuture<Outcome.BeingEnded> breakPlaceAsync(String place, FencingToken token) {
        return desk.async(BEING_ENDED, oneShot(new Operation.BreakPlace(Paths.parse(place), token)));
    }

    /**
     * Asks for the end of a session with all that it has; as for {@link #breakPlace}.
     *
     * @throws RefusedException with NOT_FOUND if there is no such session (any more)
     * @throws UnknownOutcomeException if no answer came; asking again is harmless
     */
    public Outcome.BeingEnded expire(SessionId session) {
        return desk.call(BEING_ENDED, oneShot(new Operation.EndSession(session)));
    }

    public CompletableFuture<Outcome.BeingEnded> expireAsync(SessionId session) {
        return desk.async(BEING_ENDED, oneShot(new Operation.EndSession(session)));
    }

    private LongFunction<SessionEvent> oneShot(Operation operation) {
        return id -> new SessionEvent.OneShot(id, operation, desk.timeoutNanos());
    }

    private LongFunction<SessionEvent> read(Query query) {
        return id -> new SessionEvent.Read(id, query, desk.timeoutNanos());
    }
}
