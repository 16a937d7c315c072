package io.holdfast.cell;

import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import org.jspecify.annotations.Nullable;

/** Gives each command to the class that performs it. */
final class CommandDispatch {
    private final LockOperations locks;
    private final SessionOperations sessions;
    private final RequestOperations requests;
    private final LeaseOperations leases;
    private final WriteRefusals refusals;

    CommandDispatch(CellState state) {
        NodeOperations nodes = new NodeOperations(state);
        this.refusals = new WriteRefusals(state, nodes);
        this.locks = new LockOperations(state);
        this.sessions = new SessionOperations(state, nodes);
        this.requests = new RequestOperations(state, nodes, locks, sessions);
        this.leases = new LeaseOperations(state);
    }

    /** What would come of a write that is certain to be refused; else null. */
    @Nullable
    Outcome refusalOf(Operation write) {
        return refusals.of(write);
    }

    Outcome perform(Command command) {
        if (command instanceof Command.Request request) {
            return requests.request(request);
        } else if (command instanceof Command.OneShot oneShot) {
            return requests.oneShot(oneShot.operation());
        } else if (command instanceof Command.OpenSession open) {
            return sessions.open(open);
        } else if (command instanceof Command.ExpireSession expire) {
            return sessions.expire(expire);
        } else if (command instanceof Command.EndDelay endDelay) {
            return locks.endDelay(endDelay);
        } else if (command instanceof Command.BreakPlace broken) {
            return locks.breakPlace(broken);
        } else if (command instanceof Command.AcquireLease acquire) {
            return leases.acquire(acquire.call());
        } else if (command instanceof Command.ReleaseLease release) {
            return leases.release(release.call());
        } else if (command instanceof Command.ExpireLease expire) {
            return leases.expire(expire);
        }
        throw new AssertionError("a command that nobody performs: " + command.getClass());
    }
}
