package io.holdfast.cell;

import static io.holdfast.cell.Refusals.refused;

import io.holdfast.cell.lease.LeaseRecord;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.Outcome;

/**
 * Taking and giving back leased locks, and the end of their leases (F8, R7.1–R7.3). Times in the outcomes are what the state
 * knows: the full lease, and no suggestion when to come again; the leader that answers fills them in.
 */
final class LeaseOperations {
    private final CellState state;

    LeaseOperations(CellState state) {
        this.state = state;
    }

    Outcome acquire(LeaseCall.Acquire acquire) {
        LeaseRecord present = state.leases().find(acquire.name());
        if (present != null && present.isMadeBy(acquire)) { // R2.7, R7.2: a repeat returns the same grant
            return new Outcome.OfLease(new LeaseOutcome.Granted(present.token(), present.leaseMillis()));
        }
        if (present != null) {
            return new Outcome.OfLease(new LeaseOutcome.Held(present.owner(), 0));
        }
        Outcome.Failed failure = Refusals.full(state, LeaseRecord.costOf(acquire));
        if (failure != null) {
            return failure;
        }
        FencingToken token = new FencingToken(state.mutate().revision()); // R2.3
        LeaseRecord made =
                new LeaseRecord(acquire.name(), acquire.owner(), acquire.leaseMillis(), token, acquire.requestId());
        state.leases().add(made);
        state.tell(new CellEvent.LeaseGranted(new LeaseGrant(made.name(), token, made.leaseMillis())));
        return new Outcome.OfLease(new LeaseOutcome.Granted(token, made.leaseMillis()));
    }

    Outcome release(LeaseCall.Release release) {
        LeaseRecord present = state.leases().find(release.name());
        if (present != null && present.is(release.owner(), release.token())) { // R7.3: all three fields
            state.leases().free(present, state.mutate().revision());
            state.tell(new CellEvent.LeaseEnded(present.name(), present.token()));
            return new Outcome.OfLease(new LeaseOutcome.Released());
        }
        if (state.leases().wasFreed(release.name(), release.owner(), release.token())) {
            return new Outcome.OfLease(new LeaseOutcome.Released());
        }
        return new Outcome.OfLease(LeaseRecord.insteadOfIt(present));
    }

    /** R7.1: the leader of {@code expire.term()} saw the deadline pass. */
    Outcome expire(Command.ExpireLease expire) {
        if (expire.term() != state.term()) { // R2.5: a lease
            return refused(
                    ErrorCode.UNAVAILABLE,
                    "ignored: decided in term " + expire.term() + ", the entry is of term " + state.term());
        }
        LeaseRecord present = state.leases().find(expire.name());
        if (present == null || !present.token().equals(expire.token())) { // R2.5: this hold, never a later one
            return refused(ErrorCode.NOT_FOUND, "ignored: the hold with token " + expire.token() + " has ended");
        }
        state.mutate();
        state.leases().remove(present);
        state.tell(new CellEvent.LeaseEnded(present.name(), present.token()));
        return new Outcome.OfLease(new LeaseOutcome.Released());
    }
}
