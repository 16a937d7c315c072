package io.holdfast.replica;

import io.holdfast.cell.CellEvent;
import io.holdfast.cell.Command;
import io.holdfast.cell.leader.LeaseKeeper;
import io.holdfast.cell.lease.LeaseRecord;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Outcome;
import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Serves calls about leased locks at the leader (F8).
 *
 * <p>A release, and an acquire of what is free or was made by the same request, goes into the log. Everything else waits for a
 * leadership check and is then judged against the state and the deadlines as they are at that moment.
 *
 * <p>What finds the hold <i>expiring</i> is not answered: its lease is over, but the log does not say so yet. An acquire goes into the
 * log behind the expiry; a renewal is answered as lost when that is applied, so nobody is told of a loss that a next leader does not
 * know.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b> 1. "Granted", "renewed" and what is left of a lease are told in the step that moved the deadline. 2. "Held" and
 * "lost" come from an applied entry of this term or from the state after a leadership check that began when the call was here (R7.3).
 * 3. At most {@link #MAX_PARKED} calls wait for the end of an expiring hold.
 *
 * <p><b>Source:</b> R2.6, R2.8, R7.1–R7.3, ADR 0018.
 */
final class LeaseDesk {
    static final int MAX_PARKED = 10_000;
    /** Names with a release on its way that are counted one by one. */
    static final int MAX_RELEASING = 10_000;

    /**
     * A call that waits until an expiring hold is over.
     *
     * @param fresh it was never proposed
     */
    private record Parked(ClientStream stream, long callId, LeaseCall call, boolean fresh) {}

    private final CellDriver driver;
    private final LoopShared shared;
    private final ClientStreams streams;
    private final ProposalQueue proposals;
    private final ReadQueue reads;
    private final LeaseKeeper keeper;
    private final Map<LeaseName, List<Parked>> parked = new TreeMap<>();
    private int parkedCount;
    /** How many releases of a name were proposed by this leader and are not answered yet. */
    private final Map<LeaseName, Integer> releasing = new TreeMap<>();
    /** More are on their way than are counted by name. */
    private boolean releasingMany;

    LeaseDesk(
            CellDriver driver,
            LoopShared shared,
            ClientStreams streams,
            ProposalQueue proposals,
            ReadQueue reads,
            Deadlines deadlines) {
        this.driver = driver;
        this.shared = shared;
        this.streams = streams;
        this.proposals = proposals;
        this.reads = reads;
        this.keeper = deadlines.leases();
    }

    /** Whether a call may need an entry of the log. */
    static boolean isCommand(LeaseCall call) {
        return call instanceof LeaseCall.Acquire || call instanceof LeaseCall.Release;
    }

    /** About how many bytes of the log a call takes, beside a fixed part. */
    static int payloadBytes(LeaseCall call) {
        int chars = call.name().value().length();
        if (call instanceof LeaseCall.Acquire acquire) {
            chars += acquire.owner().value().length() + acquire.requestId().length();
        } else if (call instanceof LeaseCall.Release release) {
            chars += release.owner().value().length();
        } else if (call instanceof LeaseCall.Renew renew) {
            chars += renew.owner().value().length();
        }
        return 3 * chars;
    }

    /** A call has arrived at a serving leader. */
    void handle(ClientStream stream, long callId, LeaseCall call) {
        String home = homeOf(call.name());
        if (!home.equals(driver.id().value())) {
            // R7.4: a name with two homes could have two holders
            String why = "the leased lock " + call.name().value() + " belongs to cell " + home + ", and this is "
                    + driver.id().value();
            streams.refuse(stream, callId, ErrorCode.UNAVAILABLE, true, why);
            return;
        }
        boolean free = call instanceof LeaseCall.Acquire && driver.machine().lease(call.name()) == null;
        if (free || call instanceof LeaseCall.Release) {
            propose(stream, callId, call);
        } else {
            reads.add(new ReadQueue.Lease(stream, callId, call)); // R2.6, R7.3
        }
    }

    /** The only cell that may grant the name: a shard, or the first cell of a deployment that has none. */
    private String homeOf(LeaseName name) {
        return shared.shards() == 0 ? driver.id().value() : new Shards(shared.shards()).cellOf(name.value());
    }

    private void propose(ClientStream stream, long callId, LeaseCall call) {
        Command command;
        if (call instanceof LeaseCall.Acquire acquire) {
            command = new Command.AcquireLease(acquire);
        } else {
            command = new Command.ReleaseLease((LeaseCall.Release) call);
            releaseProposed(call.name());
        }
        proposals.add(command, payloadBytes(call), new Asker(stream, Asker.Kind.LEASE, callId));
    }

    // ---- releases on their way

    private void releaseProposed(LeaseName name) {
        if (releasing.size() >= MAX_RELEASING) {
            releasingMany = true;
        } else {
            releasing.merge(name, 1, Integer::sum);
        }
    }

    /**
     * Whether a release of this name may be in the log and not in the state of this replica: its own disk may be the last one to have
     * it. A renewal that is judged by that state would revive what was released, for the next leader knows no hold (R7.3). What was
     * refused on its way to the log counts until the lead ends: that costs such a renewal a wait, no more.
     */
    boolean isReleasing(LeaseName name) {
        return releasingMany || releasing.containsKey(name);
    }

    // ---- after a leadership check

    void confirmed(ReadQueue.Lease waiting) {
        ClientStream stream = waiting.stream();
        LeaseCall call = waiting.call();
        LeaseRecord present = driver.machine().lease(call.name());
        if (call instanceof LeaseCall.Renew renew) {
            renew(stream, waiting.callId(), renew, present);
        } else if (call instanceof LeaseCall.Acquire acquire) {
            acquire(stream, waiting.callId(), acquire, present);
        } else {
            tell(stream, waiting.callId(), found(present));
        }
    }

    private void renew(ClientStream stream, long callId, LeaseCall.Renew renew, @Nullable LeaseRecord present) {
        if (present == null || !present.is(renew.owner(), renew.token())) { // R7.3: all fields must match
            tell(stream, callId, LeaseRecord.insteadOfIt(present));
        } else if (keeper.renew(renew.name(), renew.token(), shared.now())) {
            tell(stream, callId, new LeaseOutcome.Renewed(remainingMillis(renew.name())));
        } else {
            park(new Parked(stream, callId, renew, true));
        }
    }

    private void acquire(ClientStream stream, long callId, LeaseCall.Acquire acquire, @Nullable LeaseRecord present) {
        LeaseName name = acquire.name();
        if (present == null) {
            propose(stream, callId, acquire);
        } else if (keeper.isExpiring(name, shared.now())) {
            park(new Parked(stream, callId, acquire, true));
        } else if (!present.isMadeBy(acquire)) {
            tell(stream, callId, held(name, present.owner()));
        } else if (keeper.renew(name, present.token(), shared.now())) { // R7.2: a repeat is also a renewal
            tell(stream, callId, new LeaseOutcome.Granted(present.token(), remainingMillis(name)));
        }
    }

    private LeaseOutcome found(@Nullable LeaseRecord present) {
        return present == null
                ? new LeaseOutcome.Free()
                : new LeaseOutcome.Found(
                        present.name(),
                        present.owner(),
                        present.token(),
                        present.leaseMillis(),
                        remainingMillis(present.name()));
    }

    private LeaseOutcome.Held held(LeaseName name, LeaseOwner owner) {
        return new LeaseOutcome.Held(
                owner,
                keeper.retryAfterMillis(name, shared.now(), shared.seams().random()::next));
    }

    private long remainingMillis(LeaseName name) {
        return keeper.remainingMillis(name, shared.now());
    }

    private void tell(ClientStream stream, long callId, LeaseOutcome outcome) {
        streams.send(stream, new ServerFrame.Reply(callId, new Outcome.OfLease(outcome)));
    }

    // ---- from the log

    /** What came of a command that {@link #propose} put into the log; after {@link Deadlines#applied} of the whole entry. */
    void answer(Asker asker, Command command, Outcome outcome) {
        if (command instanceof Command.ReleaseLease release) {
            releasing.computeIfPresent(release.call().name(), (name, count) -> count == 1 ? null : count - 1);
        }
        LeaseOutcome lease = outcome instanceof Outcome.OfLease of ? of.lease() : null;
        if (command instanceof Command.AcquireLease acquire && lease instanceof LeaseOutcome.Granted granted) {
            granted(asker, acquire.call(), granted.token());
        } else if (command instanceof Command.AcquireLease acquire && lease instanceof LeaseOutcome.Held held) {
            tell(asker.stream(), asker.id(), held(acquire.call().name(), held.owner()));
        } else {
            streams.send(asker.stream(), new ServerFrame.Reply(asker.id(), outcome));
        }
    }

    /**
     * A grant, new or repeated. That the entry was committed in this term is the leadership check, begun after the acquire arrived
     * (R2.6); whether it is still a hold is judged now.
     */
    private void granted(Asker asker, LeaseCall.Acquire acquire, FencingToken token) {
        LeaseRecord present = driver.machine().lease(acquire.name());
        if (present == null || !present.token().equals(token)) { // a later command of the same entry ended it
            again(asker.stream(), asker.id(), acquire);
        } else if (keeper.renew(acquire.name(), token, shared.now())) {
            tell(asker.stream(), asker.id(), new LeaseOutcome.Granted(token, remainingMillis(acquire.name())));
        } else {
            park(new Parked(asker.stream(), asker.id(), acquire, false));
        }
    }

    // ---- behind an expiring hold

    private void park(Parked call) {
        if (parkedCount >= MAX_PARKED) {
            refuse(call, ErrorCode.BUSY, "too much waits for leases that are about to end");
            return;
        }
        parkedCount++;
        parked.computeIfAbsent(call.call().name(), name -> new ArrayList<>()).add(call);
    }

    private List<Parked> unpark(LeaseName name) {
        List<Parked> taken = parked.remove(name);
        if (taken == null) {
            return List.of();
        }
        parkedCount -= taken.size();
        return taken;
    }

    /** The leader is about to propose these: whoever waits to acquire comes directly behind the end of the hold (R7.1). */
    void judged(List<Command> ends) {
        for (Command end : ends) {
            if (end instanceof Command.ExpireLease expire && parked.containsKey(expire.name())) {
                for (Parked waiting : unpark(expire.name())) {
                    // What was proposed before may have been granted: it is asked again once the log says that that is
                    // over.
                    if (!(waiting.call() instanceof LeaseCall.Acquire) || !waiting.fresh()) {
                        park(waiting);
                    } else if (!waiting.stream().isClosed()) {
                        propose(waiting.stream(), waiting.callId(), waiting.call());
                    }
                }
            }
        }
    }

    /** An entry of this term was applied and answered: who waited for the end of a hold is answered. */
    void applied(List<CellEvent> events) {
        if (parkedCount == 0) {
            return;
        }
        for (CellEvent event : events) {
            if (event instanceof CellEvent.LeaseEnded ended) {
                unpark(ended.name()).forEach(this::overNow);
            }
        }
    }

    private void overNow(Parked waiting) {
        if (waiting.call() instanceof LeaseCall.Renew renew) { // it named the hold that ended, R7.3
            tell(
                    waiting.stream(),
                    waiting.callId(),
                    LeaseRecord.insteadOfIt(driver.machine().lease(renew.name())));
        } else {
            again(waiting.stream(), waiting.callId(), waiting.call());
        }
    }

    /** An acquire from the beginning; not for a caller that has gone, whose grant would only block others. */
    private void again(ClientStream stream, long callId, LeaseCall call) {
        if (!stream.isClosed()) {
            handle(stream, callId, call);
        }
    }

    private void refuse(Parked call, ErrorCode code, String why) {
        streams.refuse(call.stream(), call.callId(), code, call.fresh(), why);
    }

    void deposed(String why) {
        for (LeaseName name : List.copyOf(parked.keySet())) {
            unpark(name).forEach(waiting -> refuse(waiting, ErrorCode.UNAVAILABLE, why));
        }
    }
}
