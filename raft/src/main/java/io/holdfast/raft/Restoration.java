package io.holdfast.raft;

import org.jspecify.annotations.Nullable;

/**
 * What a replica starts from: the checked form of a {@link RestoredState}.
 *
 * <p>A snapshot may be ahead of the log (the process died between the two, or the log has lost its end, scenario C69): then
 * the log is dropped and the rest is fetched. A log that is lost as a whole does not come here: with it went the votes, so
 * the data directory is refused (R8.2, ADR 0002). A log that begins after index 1 without a snapshot is refused (C15).
 */
record Restoration(
        HardState hardState,
        @Nullable SnapshotMeta snapshot,
        RaftLog log,
        MembershipTracker membership,
        Durability durability,
        long commitIndex) {

    /**
     * Checks and joins the parts.
     *
     * @throws InvariantViolation if they cannot belong together; the replica must not start (R8.3)
     */
    static Restoration of(RestoredState state) {
        RaftLog log = logOf(state);
        HardState hardState = state.hardState();
        SnapshotMeta snapshot = state.snapshot();
        Invariants.check(
                log.lastTerm() <= hardState.term() || log.lastIndex() == log.baseIndex(),
                "log of term %d, newer than the replica's term %d",
                log.lastTerm(),
                hardState.term());
        if (snapshot == null) {
            return assemble(hardState, null, log, new MembershipTracker(0, state.initialMembership()), false);
        }
        // A snapshot can become durable before the term that its leader brought; no vote was given in that term.
        boolean newerTerm = snapshot.term() > hardState.term();
        HardState known = newerTerm ? new HardState(snapshot.term(), null) : hardState;
        boolean replacesLog = !log.matches(snapshot.index(), snapshot.term());
        if (replacesLog) {
            log.resetTo(snapshot.index(), snapshot.term());
        }
        MembershipTracker membership = new MembershipTracker(snapshot.index(), snapshot.membership());
        Restoration restored = assemble(known, snapshot, log, membership, replacesLog);
        if (newerTerm) {
            restored.durability.hardStateChanged();
        }
        return restored;
    }

    private static RaftLog logOf(RestoredState state) {
        SnapshotMeta snapshot = state.snapshot();
        long baseIndex = state.baseIndex();
        Invariants.check(baseIndex > 0 || state.baseTerm() == 0, "base 0 has term %d", state.baseTerm(), 0);
        Invariants.check(
                baseIndex == 0 || (snapshot != null && snapshot.index() >= baseIndex),
                "the log begins after %d but no snapshot covers that: data is missing",
                baseIndex,
                0);
        RaftLog log = new RaftLog(baseIndex, state.baseTerm());
        state.entries().forEach(log::append);
        if (snapshot != null && snapshot.index() == baseIndex) {
            Invariants.check(
                    snapshot.term() == state.baseTerm(),
                    "snapshot of term %d, log based on term %d",
                    snapshot.term(),
                    state.baseTerm());
        }
        return log;
    }

    private static Restoration assemble(
            HardState hardState,
            @Nullable SnapshotMeta snapshot,
            RaftLog log,
            MembershipTracker membership,
            boolean replacesLog) {
        Durability durability = new Durability(log.lastIndex());
        if (replacesLog) {
            durability.compactedTo(log.baseIndex(), log.baseTerm(), true);
        }
        long applied = snapshot == null ? 0 : snapshot.index();
        for (LogEntry entry : log.slice(log.firstIndex(), log.lastIndex())) {
            if (entry.index() > applied) {
                membership.appended(entry);
            }
        }
        return new Restoration(hardState, snapshot, log, membership, durability, applied);
    }
}
