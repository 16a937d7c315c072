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
import io.holdfast.model.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * What an operator asks of a cell. None needs a session; the questions are linearizable reads.
 *
 * <p><b>Thread:</b> any.
 */
public final class Admin {
    private static final long SHARD_NANOS = 2_000_000_000L;

    private final CallDesk desk;

    Admin(CallDesk desk) {
        this.desk = desk;
    }

    /**
     * The same questions, which the cell may take so long to answer; the client's call timeout by default. For a list that is for each
     * of its pages.
     *
     * @throws RefusedException unless it is more than 0 and at most 24 h
     */
    public Admin callTimeout(Duration timeout) {
        return new Admin(desk.withTimeout(HoldfastClientBuilder.checkedTimeout("call timeout", timeout)));
    }

    private static final CallKind<Answer.Status> STATUS = CallDesk.kind(Answer.Status.class, status -> status);
    private static final CallKind<Answer.NodeStat> STAT = CallDesk.kind(Answer.NodeStat.class, stat -> stat);
    private static final CallKind<Answer.Places> PLACES_PAGE = CallDesk.kind(Answer.Places.class, page -> page);
    private static final CallKind<Answer.Sessions> SESSIONS_PAGE = CallDesk.kind(Answer.Sessions.class, page -> page);
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
     * The first cell as {@link #status()}, and with it each shard as its leader sees it. A shard whose leader does not answer
     * within two seconds is there without a leader.
     */
    public Answer.Status statusOfAll() {
        Answer.Status first = status();
        return withShards(first, read -> desk.onLoop(STATUS, read)).join(); // within SHARD_NANOS
    }

    public CompletableFuture<Answer.Status> statusOfAllAsync() {
        return statusAsync().thenCompose(first -> withShards(first, read -> desk.async(STATUS, read)));
    }

    private CompletableFuture<Answer.Status> withShards(
            Answer.Status first, Function<LongFunction<SessionEvent>, CompletableFuture<Answer.Status>> ask) {
        List<CompletableFuture<Answer.Status>> shards = new ArrayList<>();
        long nanos = Math.min(desk.timeoutNanos(), SHARD_NANOS);
        for (int shard = 0; shard < first.shards(); shard++) {
            Query query = new Query.ShardStatus(shard);
            Answer.Status unknown = Answer.Status.unknown(Shards.cellName(shard));
            shards.add(ask.apply(id -> new SessionEvent.Read(id, query, nanos)).exceptionally(unanswered -> unknown));
        }
        return CompletableFuture.allOf(shards.toArray(CompletableFuture<?>[]::new))
                .thenApply(answered -> first.withCells(
                        shards.stream().map(CompletableFuture::join).toList()));
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

    /**
     * A page of {@link #locks}, for lists that are too long to be held at once. A page is a state that was; between two pages places
     * may come and go.
     *
     * @param after path of the place behind which the page begins, which need not exist; {@code /} for the first page
     * @param limit at most so many, 1 to {@link Limits#MAX_PAGE_ENTRIES}
     */
    public CompletableFuture<Answer.Places> locksPageAsync(String prefix, String after, int limit) {
        return desk.async(PLACES_PAGE, read(new Query.ListPlaces(Paths.parse(prefix), Paths.parse(after), limit)));
    }

    /**
     * A page of {@link #sessions}, as for {@link #locksPageAsync}.
     *
     * @param after behind which the page begins; 0 for the first page
     */
    public CompletableFuture<Answer.Sessions> sessionsPageAsync(SessionId after, int limit) {
        return desk.async(SESSIONS_PAGE, read(new Query.ListSessions(after, limit)));
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
