package io.holdfast.cell;

import static io.holdfast.cell.Refusals.described;
import static io.holdfast.cell.Refusals.refused;
import static io.holdfast.cell.Refusals.shown;

import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.lock.LockQueue;
import io.holdfast.cell.lock.PlaceName;
import io.holdfast.cell.node.Node;
import io.holdfast.cell.node.Stamp;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Taking and giving up places (R4.2, R4.4, R4.6). Who holds is {@link io.holdfast.cell.lock.LockQueue}'s business. */
final class LockOperations {
    private final CellState state;

    LockOperations(CellState state) {
        this.state = state;
    }

    Outcome acquire(SessionId session, Operation.Acquire acquire) {
        NodePath lock = acquire.lock();
        Outcome.Failed failure = badAcquire(acquire);
        if (failure != null) {
            return failure;
        }
        FencingToken blocker = acquire.onlyIfFree() ? state.locks().blocker(lock, acquire.mode()) : null;
        if (blocker != null) {
            return new Outcome.NotAcquired(lock, blocker); // C62: nothing is left behind
        }
        failure = Refusals.oneMoreNode(state, session);
        if (failure == null) {
            NodePath path = placeOf(acquire, state.revision() + 1);
            long growth = Node.costOf(path, NodeKind.PLACE, acquire.value().length);
            failure = Refusals.full(state, growth + state.tree().costOfMissingAncestors(path));
        }
        if (failure != null) {
            return failure;
        }
        Stamp now = state.mutate();
        FencingToken token = new FencingToken(now.revision()); // R2.3: the token is the create revision
        NodePath path = placeOf(acquire, token.value());
        Node place = Node.place(path, acquire.value(), session, acquire.lockDelayMillis(), now);
        state.tree().create(place.withPermits(acquire.permits()), now);
        state.sessions().own(session, path);
        boolean held = state.locks().add(lock, token, acquire.mode(), acquire.permits());
        return new Outcome.Placed(path, token, held, true);
    }

    private static NodePath placeOf(Operation.Acquire acquire, long revision) {
        return acquire.lock().child(PlaceName.of(acquire.mode(), new FencingToken(revision)));
    }

    private Outcome.@Nullable Failed badAcquire(Operation.Acquire acquire) {
        NodePath lock = acquire.lock();
        if (lock.isRoot()) {
            return refused(ErrorCode.INVALID, "path '/' is the root and cannot be a lock");
        }
        if (acquire.lockDelayMillis() < 0 || acquire.lockDelayMillis() > Limits.MAX_LOCK_DELAY_MILLIS) {
            return refused(
                    ErrorCode.INVALID,
                    "lockDelayMillis " + acquire.lockDelayMillis() + " is not in 0 to " + Limits.MAX_LOCK_DELAY_MILLIS);
        }
        int longest = Limits.MAX_PATH_BYTES - PlaceName.EXTRA_BYTES;
        if (lock.value().getBytes(StandardCharsets.UTF_8).length > longest) {
            return refused(
                    ErrorCode.TOO_LARGE, "path " + shown(lock) + " of a lock is longer than " + longest + " bytes");
        }
        Outcome.Failed failure = Refusals.value(acquire.value());
        if (failure == null) {
            failure = badPermits(acquire);
        }
        if (failure != null) {
            return failure;
        }
        Node present = state.tree().find(lock);
        if (present == null) {
            return Refusals.newNode(state.tree(), lock);
        }
        return present.is(NodeKind.CONTAINER)
                ? otherPermits(acquire)
                : refused(ErrorCode.WRONG_KIND, described(present, false) + " and cannot be a lock"); // C106
    }

    private static Outcome.@Nullable Failed badPermits(Operation.Acquire acquire) {
        int permits = acquire.permits();
        if (acquire.mode() != LockMode.PERMIT) {
            return permits == 0 ? null : refused(ErrorCode.INVALID, "permits " + permits + " of a lock; it has none");
        }
        return permits >= 1 && permits <= Limits.MAX_PERMITS
                ? null
                : refused(ErrorCode.INVALID, "permits " + permits + " is not in 1 to " + Limits.MAX_PERMITS);
    }

    /** ADR 0011: whoever states another number of permits would count the others' wrongly, so it is not let in. */
    private Outcome.@Nullable Failed otherPermits(Operation.Acquire acquire) {
        NodePath lock = acquire.lock();
        LockQueue queue = state.locks().find(lock);
        if (queue == null || queue.permits() == acquire.permits()) {
            Node taken = state.tree().find(placeOf(acquire, state.revision() + 1));
            return taken == null ? null : refused(ErrorCode.EXISTS, described(taken, false) + " of an older format");
        }
        return refused(
                ErrorCode.PERMITS_DIFFER,
                shown(lock) + " is in use as " + asWhat(queue.permits()) + ", not as " + asWhat(acquire.permits()));
    }

    private static String asWhat(int permits) {
        return permits == 0 ? "a lock" : "a semaphore of " + permits + " permits";
    }

    /** R4.4: names place and token; a repeat is a no-op and never frees a later hold (C17). */
    Outcome release(SessionId session, Operation.Release release) {
        NodePath path = release.place();
        LockMode mode = PlaceName.modeOf(path.name());
        if (mode == null) {
            return refused(
                    ErrorCode.WRONG_KIND, shown(path) + " is no place in a lock's queue; release names the place");
        }
        if (!couldHaveBeenGiven(release, mode)) {
            return notOwner(release);
        }
        Node place = state.tree().find(path); // R4.4: the place, not whatever holds the lock now
        if (place == null) {
            return new Outcome.Released(false);
        }
        if (!isOwner(place, session, release.token())) {
            return notOwner(release);
        }
        Stamp now = state.mutate();
        remove(place, now.revision());
        return new Outcome.Released(true);
    }

    private static boolean isOwner(Node place, SessionId session, FencingToken token) {
        return place.is(NodeKind.PLACE)
                && session.equals(place.session()) // null in the lock-delay
                && place.createRevision() == token.value();
    }

    private boolean couldHaveBeenGiven(Operation.Release release, LockMode mode) {
        FencingToken token = release.token();
        return token.value() > 0
                && token.value() <= state.revision()
                && release.place().name().equals(PlaceName.of(mode, token));
    }

    private static Outcome.Failed notOwner(Operation.Release release) {
        return refused(
                ErrorCode.NOT_OWNER,
                "place " + shown(release.place()) + " with token " + release.token()
                        + " does not belong to this session");
    }

    /** R4.6: the lock-delay of a place is over, says the leader of {@code endDelay.term()}. */
    Outcome endDelay(Command.EndDelay endDelay) {
        if (endDelay.term() != state.term()) { // R2.5
            return refused(
                    ErrorCode.UNAVAILABLE,
                    "ignored: decided in term " + endDelay.term() + ", the entry is of term " + state.term());
        }
        Node place = state.tree().find(endDelay.place());
        if (place == null
                || !place.isDelayed()
                || place.createRevision() != endDelay.token().value()) { // R2.5
            return new Outcome.Released(false);
        }
        remove(place, state.mutate().revision());
        return new Outcome.Released(true);
    }

    /** R3.6: the place has no believer any more, says the leader of {@code broken.term()}. */
    Outcome breakPlace(Command.BreakPlace broken) {
        if (broken.term() != state.term()) { // R2.5
            return refused(
                    ErrorCode.UNAVAILABLE,
                    "ignored: decided in term " + broken.term() + ", the entry is of term " + state.term());
        }
        Node place = state.tree().find(broken.place());
        if (place == null
                || !place.is(NodeKind.PLACE)
                || place.createRevision() != broken.token().value()) { // R2.5: the place, never a later one
            return new Outcome.Released(false);
        }
        SessionId owner = place.session();
        remove(place, state.mutate().revision());
        if (owner != null) {
            state.tell(new CellEvent.PlaceRemoved(owner, place.path(), broken.token()));
        }
        return new Outcome.Released(true);
    }

    /** Removes a place and lets the next in. */
    void remove(Node place, long revision) {
        NodePath lock = lockOf(place);
        state.removePlace(place, lock, revision);
        state.grantNext(lock);
    }

    static NodePath lockOf(Node place) {
        return Invariants.present(place.path().parent(), "a place lies below its lock");
    }
}
