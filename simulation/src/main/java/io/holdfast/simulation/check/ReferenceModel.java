package io.holdfast.simulation.check;

import io.holdfast.cell.Command;
import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.simulation.check.LockModel.Place;
import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What every committed command must have come to, by the rules alone.
 *
 * <p>Follows the log once, in order, and compares each outcome of the state machine with its own. It is written without
 * looking at the state machine: plain maps, everything recomputed.
 *
 * <p><b>Checks:</b> a request is applied at most once (R2.7); tokens rise and are never reused (R2.3); who holds follows R4.2
 * and exactly those who begin to hold are told; a release frees its own place only (R4.4); soft decisions of another term
 * are ignored (R2.5); a session's end takes all that it owned, but for lock-delays (R3.2, R4.6).
 */
public final class ReferenceModel {
    /** Refusals for lack of room, which the model does not predict. */
    private static final Set<ErrorCode> LIMITS =
            EnumSet.of(ErrorCode.STATE_FULL, ErrorCode.LIMIT, ErrorCode.REQUEST_WINDOW, ErrorCode.TOO_LARGE);

    private final Coverage coverage;
    private final SessionEnds ends;
    private final LockModel locks = new LockModel();
    private final ValueModel values = new ValueModel();
    private final LeaseModel leases;
    private final Map<Long, SessionModel> sessions = new TreeMap<>();
    private long revision;
    /** What is being followed, for messages. */
    private Supplier<String> where = () -> "";

    /** Hears when a session's lease is judged to be over. */
    @FunctionalInterface
    public interface SessionEnds {
        void expired(long session);
    }

    public ReferenceModel(Coverage coverage, LeaseModel leases, SessionEnds ends) {
        this.leases = leases;
        this.coverage = coverage;
        this.ends = ends;
    }

    public boolean isLive(long session) {
        return sessions.containsKey(session);
    }

    /** Whether what an operator ends is still there. */
    boolean exists(Ending ending) {
        if (ending instanceof Ending.OfPlace broken) {
            Place place = locks.find(broken.place().value());
            return place != null && place.token() == broken.token().value();
        }
        return isLive(ending.session().value());
    }

    /** Places in all queues together. */
    public int places() {
        return locks.size();
    }

    /** Tokens of the places that sessions hold now. */
    public TreeSet<Long> heldTokens() {
        return locks.held();
    }

    /** Tokens of the places of one lock that sessions hold now. */
    public TreeSet<Long> heldTokens(String lock) {
        return locks.heldOf(lock);
    }

    public int sessions() {
        return sessions.size();
    }

    /**
     * Follows one command.
     *
     * @param index of the entry that holds it
     * @param term of that entry
     * @return tokens of the places that began to hold after waiting: each must be told once
     */
    public TreeSet<Long> apply(long index, long term, Command command, Outcome outcome) {
        where = () -> "entry " + index + " of term " + term + ": " + command + " came to " + outcome;
        if (command instanceof Command.Request request) {
            request(request, outcome);
        } else if (command instanceof Command.OpenSession open) {
            open(open, outcome);
        } else if (command instanceof Command.ExpireSession expire) {
            expire(expire, term);
        } else if (command instanceof Command.EndDelay end) {
            endDelay(end, term);
        } else if (command instanceof Command.BreakPlace broken) {
            breakPlace(broken, term, outcome);
        } else if (command instanceof Command.OneShot oneShot) {
            value(oneShot.operation(), outcome);
        } else {
            lease(command, term, outcome);
        }
        TreeSet<Long> fresh = locks.newlyHeld();
        if (outcome instanceof Outcome.Placed placed) {
            fresh.remove(placed.token().value());
        }
        coverage.seen(Seen.HELD_AFTER_WAIT, fresh.size());
        return fresh;
    }

    private void request(Command.Request request, Outcome outcome) {
        SessionModel session = sessions.get(request.session().value());
        if (session == null) {
            require(
                    outcome instanceof Outcome.Failed,
                    "session over",
                    "a request of a session that ended had an effect");
            return;
        }
        long id = request.requestId();
        boolean old = id <= session.watermark;
        session.raiseWatermark(request.watermark());
        if (old || id <= session.watermark) {
            require(outcome instanceof Outcome.Failed, "at most once", "a request below the watermark was carried out");
            return;
        }
        if (session.cancelled.contains(id)) {
            require(outcome instanceof Outcome.Failed, "at most once", "a cancelled request was carried out");
            return;
        }
        Outcome earlier = session.results.get(id);
        if (earlier != null) {
            coverage.seen(Seen.REQUEST_REPEATED);
            repeated(earlier, outcome);
            return;
        }
        if (outcome instanceof Outcome.Failed failed && LIMITS.contains(failed.code())) {
            return;
        }
        fresh(session, id, request.operation(), outcome);
        if (sessions.containsKey(session.id)) {
            session.results.put(id, outcome);
        }
    }

    private void repeated(Outcome earlier, Outcome outcome) {
        if (earlier instanceof Outcome.Placed first) {
            Place place = locks.find(first.place().value());
            require(
                    outcome instanceof Outcome.Placed again
                            && again.token().equals(first.token())
                            && again.present() == (place != null)
                            && again.held() == (place != null && locks.isHeld(place)),
                    "at most once",
                    "the repeat of a request does not tell the place of the first, as it is now");
            return;
        }
        if (earlier instanceof Outcome.Failed first) {
            require(
                    outcome instanceof Outcome.Failed again && again.code() == first.code(),
                    "at most once",
                    "a repeated request had another result than " + first);
            return;
        }
        require(outcome.equals(earlier), "at most once", "a repeated request had another result than " + earlier);
    }

    private void fresh(SessionModel session, long id, Operation operation, Outcome outcome) {
        if (operation instanceof Operation.Acquire acquire) {
            acquire(session, acquire, outcome);
        } else if (operation instanceof Operation.Release release) {
            release(session, release, outcome);
        } else if (operation instanceof Operation.Cancel cancel) {
            cancel(session, cancel, outcome);
        } else if (operation instanceof Operation.CloseSession) {
            require(outcome instanceof Outcome.SessionClosed, "close", "a session was not closed");
            coverage.seen(Seen.SESSION_CLOSED);
            end(session, false);
        } else if (operation instanceof Operation.CreateEphemeral) {
            if (outcome instanceof Outcome.Created created) {
                raiseRevision(created.revision());
                session.ephemerals.add(created.path().value());
            }
        } else {
            value(operation, outcome);
        }
    }

    private void acquire(SessionModel session, Operation.Acquire acquire, Outcome outcome) {
        String lock = acquire.lock().value();
        if (!locks.fits(lock, acquire.permits())) {
            boolean refused = outcome instanceof Outcome.Failed failed && failed.code() == ErrorCode.PERMITS_DIFFER;
            require(refused, "permits", "another number of permits was let into a queue");
            coverage.seen(Seen.PERMITS_DIFFER);
            return;
        }
        boolean free = locks.wouldBeHeld(lock, acquire.mode(), acquire.permits(), Long.MAX_VALUE);
        if (outcome instanceof Outcome.Placed placed) {
            raiseRevision(placed.token().value());
            Place place = Place.of(placed.token().value(), acquire, session.id);
            require(place.path().equals(placed.place().value()), "place name", "should be " + place.path());
            require(free || !acquire.onlyIfFree(), "try", "a try left a place in a queue");
            require(placed.held() == free && placed.present(), "who holds (R4.2)", "held should be " + free);
            if (free) {
                coverage.seen(Seen.HELD_AT_ONCE);
            }
            locks.put(place);
            return;
        }
        if (outcome instanceof Outcome.NotAcquired) {
            require(acquire.onlyIfFree() && !free, "try", "was refused although the lock was free for it");
            coverage.seen(Seen.TRY_REFUSED);
            return;
        }
        require(outcome instanceof Outcome.Failed && values.exists(lock), "acquire", "was refused without reason");
    }

    private void release(SessionModel session, Operation.Release release, Outcome outcome) {
        Place place = locks.find(release.place().value());
        long token = release.token().value();
        if (place == null) {
            // gone already: a no-op, or refused if the token contradicts the name
            boolean harmless = outcome instanceof Outcome.Failed
                    || (outcome instanceof Outcome.Released released && !released.removed());
            require(harmless, "release (R4.4)", "removed a place that was gone");
            return;
        }
        if (place.session() != session.id || place.token() != token) {
            require(outcome instanceof Outcome.Failed, "release (R4.4)", "removed the place of another");
            return;
        }
        require(
                outcome instanceof Outcome.Released released && released.removed(),
                "release (R4.4)",
                "did not remove its place");
        locks.remove(place);
        coverage.seen(Seen.RELEASED);
    }

    private void cancel(SessionModel session, Operation.Cancel cancel, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            require(
                    cancel.requestId() <= session.watermark || failed.code() == ErrorCode.INVALID,
                    "cancel",
                    "was refused without reason");
            return;
        }
        Outcome made = session.results.get(cancel.requestId());
        Place place = made instanceof Outcome.Placed placed
                ? locks.find(placed.place().value())
                : null;
        String ephemeral = made instanceof Outcome.Created created
                        && session.ephemerals.contains(created.path().value())
                ? created.path().value()
                : null;
        String expected = place != null ? place.path() : ephemeral;
        require(outcome instanceof Outcome.Cancelled, "cancel", "was not carried out");
        var removed = ((Outcome.Cancelled) outcome).removed();
        require(
                expected == null
                        ? removed == null
                        : removed != null && removed.value().equals(expected),
                "cancel",
                "should have removed " + expected);
        coverage.seen(Seen.CANCEL_APPLIED);
        if (place != null) {
            locks.remove(place);
        }
        if (ephemeral != null) {
            session.ephemerals.remove(ephemeral);
        }
        if (made == null && cancel.requestId() > session.watermark) {
            session.cancelled.add(cancel.requestId());
        }
    }

    private void value(Operation operation, Outcome outcome) {
        String problem = values.follow(operation, outcome, revision);
        require(problem == null, "values", String.valueOf(problem));
        if (outcome instanceof Outcome.Written written) {
            raiseRevision(written.revision());
        } else if (outcome instanceof Outcome.Deleted deleted) {
            raiseRevision(deleted.revision());
        } else if (outcome instanceof Outcome.Batched batched) {
            coverage.seen(Seen.BATCH_APPLIED);
            revision = Math.max(revision, batched.revision()); // the model of values has judged it
        } else if (outcome instanceof Outcome.BatchRefused) {
            coverage.seen(Seen.BATCH_REFUSED);
        }
    }

    /** The first revision after {@code seen} at which the value at a path was set or deleted; null if it was not. */
    public @Nullable Long valueChangedAfter(String path, long seen) {
        return values.changedAfter(path, seen);
    }

    private void open(Command.OpenSession open, Outcome outcome) {
        if (!(outcome instanceof Outcome.SessionOpened opened)) {
            return;
        }
        long id = opened.session().value();
        SessionModel same = sessions.get(id);
        if (same != null) {
            require(same.hasSecret(open.secret()), "sessions", "two sessions have one id");
            return;
        }
        for (SessionModel other : sessions.values()) {
            require(!other.hasSecret(open.secret()), "sessions", "one open made two sessions");
        }
        raiseRevision(id);
        sessions.put(id, new SessionModel(id, open.secret()));
    }

    private void expire(Command.ExpireSession expire, long term) {
        SessionModel session = sessions.get(expire.session().value());
        if (session == null || expire.term() != term) {
            coverage.seen(Seen.EXPIRY_IGNORED);
            return;
        }
        coverage.seen(Seen.SESSION_EXPIRED);
        end(session, true);
        ends.expired(session.id);
    }

    private void end(SessionModel session, boolean expired) {
        List<Place> places = locks.placesOf(session.id);
        // a place that begins to hold only because an earlier one of the same session goes was never a hold (R4.6)
        List<Place> holds = places.stream().filter(locks::isHeld).toList();
        for (Place place : places) {
            if (expired && place.delayMillis() > 0 && holds.contains(place)) {
                coverage.seen(Seen.LOCK_DELAY_STARTED);
                locks.put(place.withoutSession());
            } else {
                locks.remove(place);
            }
        }
        sessions.remove(session.id);
    }

    private void endDelay(Command.EndDelay end, long term) {
        Place place = locks.find(end.place().value());
        if (place != null
                && term == end.term()
                && place.session() == 0
                && place.token() == end.token().value()) {
            coverage.seen(Seen.LOCK_DELAY_ENDED);
            locks.remove(place);
        }
    }

    private void breakPlace(Command.BreakPlace broken, long term, Outcome outcome) {
        Place place = locks.find(broken.place().value());
        boolean applies = place != null
                && term == broken.term()
                && place.token() == broken.token().value();
        boolean removed = outcome instanceof Outcome.Released released && released.removed();
        require(removed == applies, "break (R3.6)", applies ? "did not remove its place" : "removed another place");
        if (place != null && applies) {
            coverage.seen(place.session() == 0 ? Seen.DELAY_BROKEN : Seen.PLACE_BROKEN);
            locks.remove(place);
        }
    }

    private void lease(Command command, long term, Outcome outcome) {
        if (leases.isFresh(command, outcome)
                && outcome instanceof Outcome.OfLease of
                && of.lease() instanceof LeaseOutcome.Granted granted) {
            raiseRevision(granted.token().value());
        }
        String problem = leases.follow(command, term, outcome);
        require(problem == null, "leases", String.valueOf(problem));
    }

    private void raiseRevision(long to) {
        require(to > revision, "tokens rise", "revision " + to + " after " + revision);
        revision = to;
    }

    private void require(boolean holds, String invariant, String detail) {
        if (!holds) {
            throw new Violation(invariant, detail + "; " + where.get());
        }
    }
}
