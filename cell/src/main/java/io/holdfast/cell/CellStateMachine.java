package io.holdfast.cell;

import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.base.PersistentMap;
import io.holdfast.cell.lease.LeaseRecord;
import io.holdfast.cell.node.Node;
import io.holdfast.cell.session.Session;
import io.holdfast.model.Answer;
import io.holdfast.model.LeaseName;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one cell: nodes, locks, sessions, results of requests. Built from the log alone, entry by entry, so it is
 * the same on every replica at the same index.
 *
 * <p><b>Thread:</b> one at a time, for every method. What {@link #freeze} returns is free of that.
 *
 * <p><b>Invariants:</b> 1. {@code apply} depends on nothing but the state and its arguments; the limit of the
 * state's size comes with each entry. 2. No command makes it throw; an entry that cannot be decoded, or that is not the next one,
 * does, and the replica must stop (R8.3).
 *
 * <p><b>Source:</b> R2.2, R2.3, R2.7, R4, issue 2 Build 4.
 */
public final class CellStateMachine {
    private final CellState state;
    private final CommandDispatch dispatch;
    private final QueryAnswers answers;
    private final long incarnation;
    private long appliedIndex;
    private long appliedTerm;

    /** An empty cell: nothing applied, only the root exists. */
    public CellStateMachine(CellLimits limits) {
        this(CellState.empty(limits), new SnapshotHeader(0, 0, 0, 0, 0));
    }

    private CellStateMachine(CellState state, SnapshotHeader header) {
        this.state = state;
        this.dispatch = new CommandDispatch(state);
        this.answers = new QueryAnswers(state);
        this.incarnation = header.incarnation();
        this.appliedIndex = header.appliedIndex();
        this.appliedTerm = header.appliedTerm();
    }

    /** Why a batch would be refused whatever the state is, so that it need not be replicated and written for that; null if it may do. */
    public static Outcome.@Nullable BatchRefused objectionTo(Operation.Batch batch) {
        return BatchOperations.objectionTo(batch);
    }

    /** An empty cell whose counter stands high, to see what large numbers do (C47). */
    static CellStateMachine startingAt(CellLimits limits, long revision) {
        return new CellStateMachine(CellState.emptyAt(limits, revision), new SnapshotHeader(0, 0, 0, revision, 0));
    }

    /**
     * The state that a snapshot holds. Reads {@code in} to the end of the snapshot and leaves it open; buffer it if it is
     * a file.
     *
     * @throws IOException if it cannot be read, is of an unknown version, or is damaged in a way that shows
     */
    public static CellStateMachine restore(CellLimits limits, InputStream in) throws IOException {
        SnapshotReader.Restored restored = SnapshotReader.read(limits, in);
        return new CellStateMachine(restored.state(), restored.header());
    }

    /**
     * Applies the next entry of the log.
     *
     * @param index {@link #appliedIndex} + 1
     * @param term of the entry, not lower than the last one's
     * @param entry made by {@link CommandCodec#encode}; the arrays of values are copied out of it
     * @throws IllegalStateException if it is not the next entry
     * @throws io.holdfast.cell.format.MalformedDataException if it is no entry; nothing is changed then
     */
    public AppliedEntry apply(long index, long term, byte[] entry) {
        checkNext(index, term);
        CommandBatch batch = CommandCodec.decode(entry);
        state.begin(term, batch.wallMillis(), batch.stateBytes());
        List<Outcome> outcomes = new ArrayList<>(batch.commands().size());
        for (Command command : batch.commands()) {
            outcomes.add(dispatch.perform(command));
        }
        appliedIndex = index;
        appliedTerm = term;
        return new AppliedEntry(index, outcomes, state.takeEvents());
    }

    /** Passes over an entry that is not for the state: a no-op or a change of membership. */
    public void applyNothing(long index, long term) {
        checkNext(index, term);
        appliedIndex = index;
        appliedTerm = term;
    }

    private void checkNext(long index, long term) {
        Invariants.check(index == appliedIndex + 1, "entries are applied in order, without a gap");
        Invariants.check(term >= appliedTerm, "terms in the log never fall");
    }

    /**
     * Answers a read of the state as it is now. {@link Query.CellStatus} is refused: only the leader knows it. Sessions come
     * with 0 as remaining time and as not expiring; the leader fills that in with
     * {@link io.holdfast.model.Answer.SessionInfo#withLease}.
     */
    public Answer query(Query query) {
        return answers.answer(query);
    }

    /** What a leader puts into its entries; what is applied obeys the entry's own (R2.2). */
    public CellLimits limits() {
        return state.limits();
    }

    /**
     * Up to which revision a client must know what a watch covers (R5.3): if it does, nothing is newer; if it does not, something is,
     * or there is nothing at the path and something near it is.
     */
    public long newestOf(WatchKind kind, NodePath path) {
        return ChangedSince.newest(state.tree(), kind, path);
    }

    /** Index of the last entry applied; 0 at first. */
    public long appliedIndex() {
        return appliedIndex;
    }

    /** Term of the last entry applied; 0 at first. */
    public long appliedTerm() {
        return appliedTerm;
    }

    /** The cell's counter, raised by one with every applied mutation (R2.3). */
    public long revision() {
        return state.revision();
    }

    /** A hash of all that is replicated, equal on all replicas at the same index; O(1). */
    public long digest() {
        return state.digest();
    }

    /** As {@link #digest} from nothing; slow, for tests and the simulation. */
    public long recomputeDigest() {
        return state.recomputedDigest();
    }

    /** Bytes charged to the limit; O(1). */
    public long stateBytes() {
        return state.bytes();
    }

    /** As {@link #stateBytes} from nothing; slow, for tests and the simulation. */
    public long recomputeStateBytes() {
        return state.tree().recomputedBytes()
                + state.sessions().recomputedBytes()
                + state.leases().recomputedBytes();
    }

    /**
     * Checks what must hold between nodes, sessions and queues; slow, for tests and the simulation.
     *
     * @throws IllegalStateException if something does not
     */
    public void checkInvariants() {
        state.checkInvariants();
    }

    /** All nodes, the root among them. */
    public long nodeCount() {
        return state.tree().size();
    }

    public long sessionCount() {
        return state.sessions().size();
    }

    /** Places that sessions hold now. */
    public long placesHeld() {
        return state.locks().held();
    }

    public long placesWaiting() {
        return state.locks().waiting();
    }

    /** Places in their lock-delay (R4.6). */
    public long placesDelayed() {
        return state.locks().delayedCount();
    }

    /** Whether the session is open and this is its secret (R3.1). */
    public boolean authorises(SessionId session, byte[] secret) {
        return state.sessions().authorises(session, secret);
    }

    public boolean isOpen(SessionId session) {
        return state.sessions().find(session) != null;
    }

    /** What a leader needs to know of a session; null if it is not open. */
    public @Nullable SessionLease session(SessionId session) {
        Session found = state.sessions().find(session);
        return found == null
                ? null
                : new SessionLease(session, found.leaseMillis(), found.opening().caching());
    }

    /** Whether this request was applied, or never will be: applying it again changes nothing (R2.7). */
    public boolean isSettled(SessionId session, long requestId) {
        Session found = state.sessions().find(session);
        return found == null || requestId <= found.watermark() || found.result(requestId) != null;
    }

    /**
     * What would come of a write of values if it were applied now, if it would be refused because of what is there; null if it would
     * not, or not certainly. Changes nothing.
     *
     * @param write {@link Operation.Put}, {@link Operation.Delete} or {@link Operation.Batch}
     */
    public @Nullable Outcome refusalOf(Operation write) {
        return dispatch.refusalOf(write);
    }

    /** All open sessions by id, for a new leader (R3.3). */
    public Iterable<SessionLease> sessions() {
        List<SessionLease> leases = new ArrayList<>(state.sessions().size());
        for (PersistentMap.Entry<SessionId, Session> entry : state.sessions().frozen()) {
            Session session = entry.value();
            leases.add(new SessionLease(
                    session.id(), session.leaseMillis(), session.opening().caching()));
        }
        return leases;
    }

    /** All places in their lock-delay by path, for a new leader (R4.6). */
    public Iterable<DelayedPlace> delayedPlaces() {
        List<DelayedPlace> places = new ArrayList<>(state.locks().delayedCount());
        for (NodePath path : state.locks().delayed()) {
            Node place = state.placeAt(path);
            places.add(new DelayedPlace(path, CellState.tokenOf(place), place.lockDelayMillis()));
        }
        return places;
    }

    /** The record of a leased lock, or null if nobody holds it. */
    public @Nullable LeaseRecord lease(LeaseName name) {
        return state.leases().find(name);
    }

    /** Leased locks that are held. */
    public long leaseCount() {
        return state.leases().size();
    }

    /** All leased locks that are held, by name, for a new leader (R7.1). */
    public Iterable<LeaseGrant> leases() {
        List<LeaseGrant> grants = new ArrayList<>(state.leases().size());
        for (PersistentMap.Entry<LeaseName, LeaseRecord> entry : state.leases().frozen()) {
            LeaseRecord leased = entry.value();
            grants.add(new LeaseGrant(leased.name(), leased.token(), leased.leaseMillis()));
        }
        return grants;
    }

    /** The state as it is now, to be written on any thread while this one goes on; O(1). */
    public FrozenCell freeze() {
        SnapshotHeader header = new SnapshotHeader(incarnation, appliedIndex, appliedTerm, revision(), digest());
        return new FrozenCell(header, state.tree().frozen(), state.sessions().frozen(), state.leases());
    }
}
