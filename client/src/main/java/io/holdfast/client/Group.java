package io.holdfast.client;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A group by its path: whoever joins is listed with an address or whatever else for the others to read, until it leaves or its session
 * ends. Immutable and cheap.
 *
 * <p>A membership is a shared place (R4.2), an ephemeral sequential node of its session that carries the member's value. It is not
 * renewed by itself after the session has EXPIRED: the application joins again, and thus knows that it was away.
 *
 * <p><b>Thread:</b> any. The session is opened by the first join; asking who is there needs none.
 *
 * <p><b>Source:</b> F4, ADR 0012.
 */
public final class Group {
    private final CallDesk desk;
    private final HoldRegistry registry;
    private final NodePath path;

    Group(CallDesk desk, HoldRegistry registry, NodePath path) {
        this.desk = desk;
        this.registry = registry;
        this.path = path;
        var unused = taker(""); // so that a bad path is refused here
    }

    public String path() {
        return path.value();
    }

    /**
     * Joins. The same client may join several times; each membership counts.
     *
     * @param value what the others read of this member, for example its address; at most 65,536 bytes of UTF-8
     * @throws RefusedException with {@link ErrorCode#WRONG_KIND} if somebody holds or waits for an exclusive lock at this path
     * @throws UnreachableException if no leader answers within the call timeout; this client is not a member then
     * @throws SessionExpiredException if the session is over
     * @throws HoldLostException if the answer came too late to count (R4.3)
     */
    public Membership join(String value) {
        return taker(value)
                .tryTake()
                .map(hold -> new Membership(this, hold, value))
                .orElseThrow(this::inUse);
    }

    /** {@link #join} that an interrupt ends as it ends every wait; this client is not a member then. */
    Membership joinInterruptibly(String value) throws InterruptedException {
        return taker(value)
                .take(Duration.ZERO)
                .map(hold -> new Membership(this, hold, value))
                .orElseThrow(this::inUse);
    }

    /** The twin of {@link #join}; cancelling it leaves again. */
    public CompletableFuture<Membership> joinAsync(String value) {
        CompletableFuture<Membership> joined = new CompletableFuture<>();
        var asked = taker(value).tryTakeAsync();
        var unused = asked.whenComplete((found, problem) -> {
            if (problem != null) {
                joined.completeExceptionally(problem);
            } else if (found.isEmpty()) {
                joined.completeExceptionally(inUse());
            } else if (!joined.complete(new Membership(this, found.get(), value))) {
                var unusedRelease = found.get().releaseAsync();
            }
        });
        var unusedCancelling = joined.whenComplete((membership, problem) -> asked.cancel(true));
        return joined;
    }

    /** The live members as the cell answers (linearizable), in the order in which they joined, page by page. */
    public List<Member> members() {
        return pages().all(desk);
    }

    /** The twin of {@link #members}. */
    public CompletableFuture<List<Member>> membersAsync() {
        return pages().allAsync(desk);
    }

    /**
     * Follows who is there: {@code listener} is told the present members, then each newer list; see {@link Election#observe} for what is
     * certain when.
     */
    public Subscription observe(WatchListener<List<Member>> listener) {
        return Following.children(desk, path, this::membersAsync, listener);
    }

    /** Its own places come first among those at and below its path; nothing after them is read. */
    private Pages<Answer.Places, Member, NodePath> pages() {
        return new Pages<>(
                Answer.Places.class,
                NodePath.ROOT,
                after -> new Query.ListPlaces(path, after, Limits.MAX_PAGE_ENTRIES),
                this::page,
                member -> new NodePath(member.place()));
    }

    private Pages.Page<Member> page(Answer.Places answer) {
        List<Answer.PlaceInfo> own = answer.places().stream()
                .filter(place -> place.lock().equals(path))
                .toList();
        List<Member> members = own.stream()
                .filter(place -> place.held() && place.mode() == LockMode.SHARED)
                .map(Group::member)
                .toList();
        // Held shared places are the lowest of a queue, so that a page without one is the last.
        return new Pages.Page<>(
                members, answer.more() && members.size() == answer.places().size());
    }

    private static Member member(Answer.PlaceInfo place) {
        return new Member(
                new String(place.value(), StandardCharsets.UTF_8),
                place.token(),
                place.place().value(),
                place.clientName());
    }

    RefusedException inUse() {
        return new RefusedException(
                ErrorCode.WRONG_KIND,
                "join " + path + ": it is in use as a lock, and somebody holds or waits for it exclusively;"
                        + " a group needs a path of its own");
    }

    PlaceTaker<LockHold> taker(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        AcquireSpec spec = Failures.checked(() -> new AcquireSpec(path, LockMode.SHARED, 0, bytes));
        return new PlaceTaker<>(desk, registry, spec, new PlaceTaker.Handles<>(hold -> hold, hold -> hold));
    }

    /** Runs the application's code here; what it throws is logged. */
    void guarded(Runnable callback) {
        desk.callbacks.guarded(callback);
    }

    void execute(Runnable callback) {
        desk.callbacks.execute(callback);
    }

    @Override
    public String toString() {
        return "group " + path;
    }
}
