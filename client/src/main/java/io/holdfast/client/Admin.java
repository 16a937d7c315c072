package io.holdfast.client;

import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * What an operator asks of a cell. All are linearizable reads and need no session.
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

    private LongFunction<SessionEvent> read(Query query) {
        return id -> new SessionEvent.Read(id, query, desk.timeoutNanos());
    }
}
