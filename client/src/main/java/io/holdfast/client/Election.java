package io.holdfast.client;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * An election by its path: whoever campaigns first leads, with an address or whatever else for the others to read; the next in order of
 * arrival follows. Immutable and cheap.
 *
 * <p>An election is an exclusive lock whose places carry the candidates' values. So one leader at a time, a fencing token with each
 * lead, one event for each hand-over whatever the number of candidates, and brief times without a leader between two.
 *
 * <p><b>Thread:</b> any. The session is opened by the first campaign; asking who leads needs none.
 *
 * <p>Every campaign may throw what an acquire of {@link LockRecipe} does.
 *
 * <p><b>Source:</b> R4.7.
 */
public final class Election {
    private final CallDesk desk;
    private final HoldRegistry registry;
    private final NodePath path;
    private final long lockDelayMillis;
    private final CallKind<Optional<Leader>> leaders;

    Election(CallDesk desk, HoldRegistry registry, NodePath path) {
        this(desk, registry, path, 0);
    }

    private Election(CallDesk desk, HoldRegistry registry, NodePath path, long lockDelayMillis) {
        this.desk = desk;
        this.registry = registry;
        this.path = path;
        this.lockDelayMillis = lockDelayMillis;
        this.leaders = CallDesk.kind(Answer.Places.class, this::leaderIn);
        var unused = spec(""); // so that a bad path or lock-delay is refused here
    }

    /**
     * If a lead ends because its session expired, nobody leads for so much longer (R4.6).
     *
     * @throws RefusedException unless it is from 0 to 60 s
     */
    public Election lockDelay(Duration delay) {
        return new Election(desk, registry, path, Durations.toMillis(delay));
    }

    /**
     * The same election, whose {@link #leader} the cell may take so long to tell; the client's call timeout by default.
     *
     * @throws RefusedException unless it is more than 0 and at most 24 h
     */
    public Election callTimeout(Duration timeout) {
        CallDesk other = desk.withTimeout(HoldfastClientBuilder.checkedTimeout("call timeout", timeout));
        return new Election(other, registry, path, lockDelayMillis);
    }

    public String path() {
        return path.value();
    }

    /**
     * Waits until this candidate leads, without bound.
     *
     * @param value what the others read of the leader, for example its address; at most 65,536 bytes of UTF-8
     * @throws InterruptedException if interrupted; the candidate is withdrawn
     */
    public Leadership campaign(String value) throws InterruptedException {
        return candidate(value).take();
    }

    /**
     * Waits for at most so long; zero tries once. The cell's first answer may take up to the call timeout.
     *
     * @return empty if another still leads; the candidate is withdrawn
     * @throws InterruptedException if interrupted; the candidate is withdrawn
     */
    public Optional<Leadership> campaign(String value, Duration maxWait) throws InterruptedException {
        return candidate(value).take(maxWait);
    }

    /** The twin of {@link #campaign(String)}; cancelling it withdraws the candidate. */
    public CompletableFuture<Leadership> campaignAsync(String value) {
        return candidate(value).takeAsync();
    }

    /** The twin of {@link #campaign(String, Duration)}. */
    public CompletableFuture<Optional<Leadership>> campaignAsync(String value, Duration maxWait) {
        return candidate(value).takeAsync(maxWait);
    }

    /** Whoever leads as the cell answers (linearizable); empty if nobody does, which is normal for a moment between two leads. */
    public Optional<Leader> leader() {
        return desk.call(leaders, asking());
    }

    /** The twin of {@link #leader}. */
    public CompletableFuture<Optional<Leader>> leaderAsync() {
        return desk.async(leaders, asking());
    }

    /**
     * Follows who leads: {@code listener} is told the present leader, or that there is none, then each newer one; it may skip leaders
     * that were overtaken, never the newest. Calls come one after the other on the callback executor.
     *
     * <p>What was told counts as certain until {@link WatchListener#onUnsure}, which comes when the connection to the cell's leader is
     * lost and when the session is in jeopardy: from then on nobody knows. Then {@link WatchListener#onSure} or a newer state comes, or
     * {@link WatchListener#onEnded} with the end of the session. Returns at once; opens the session.
     */
    public Subscription observe(WatchListener<Optional<Leader>> listener) {
        return Following.children(desk, path, this::leaderAsync, listener);
    }

    /** The first place at or below the path is the election's first, if it has any. */
    private LongFunction<SessionEvent> asking() {
        Query first = new Query.ListPlaces(path, NodePath.ROOT, 1);
        return id -> new SessionEvent.Read(id, first, desk.timeoutNanos());
    }

    private Optional<Leader> leaderIn(Answer.Places places) {
        return places.places().stream()
                .filter(place -> place.lock().equals(path))
                .filter(place -> place.held() && place.mode() == LockMode.EXCLUSIVE) // R4.6: none in its lock-delay
                .findFirst()
                .map(place -> new Leader(
                        path.value(),
                        new String(place.value(), StandardCharsets.UTF_8),
                        place.token(),
                        place.place().value(),
                        place.clientName()));
    }

    private PlaceTaker<Leadership> candidate(String value) {
        PlaceTaker.Handles<Leadership> handles =
                new PlaceTaker.Handles<>(hold -> new Leadership(hold, value), Leadership::hold);
        return new PlaceTaker<>(desk, registry, spec(value), handles);
    }

    private AcquireSpec spec(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return Failures.checked(() -> new AcquireSpec(path, LockMode.EXCLUSIVE, lockDelayMillis, bytes));
    }

    @Override
    public String toString() {
        return "election " + path;
    }
}
