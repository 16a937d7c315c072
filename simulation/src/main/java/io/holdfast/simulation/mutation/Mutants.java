package io.holdfast.simulation.mutation;

import java.util.ArrayList;
import java.util.List;

/** The table of mutants: at least those that issue 2 names. */
public final class Mutants {
    private static final String RAFT = "raft/src/main/java/io/holdfast/raft/";
    private static final String CELL = "cell/src/main/java/io/holdfast/cell/";
    private static final String REPLICA = "replica/src/main/java/io/holdfast/replica/";
    private static final String CLIENT = "client/src/main/java/io/holdfast/client/session/";

    private Mutants() {}

    public static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        all.addAll(consensus());
        all.addAll(leadership());
        all.addAll(sessions());
        all.addAll(state());
        all.addAll(RecipeMutants.all());
        all.addAll(WatchMutants.all());
        all.addAll(EndingMutants.all());
        all.addAll(FrontEndMutants.all());
        all.addAll(ProxyMutants.all());
        all.addAll(LeaseMutants.all());
        all.addAll(CacheMutants.all());
        return all;
    }

    private static List<Mutant> consensus() {
        return List.of(
                Mutant.of(
                        "acknowledge-before-fsync",
                        "R2.1, C08",
                        RAFT + "AppendReceiver.java",
                        "long match = Math.min(verifiedIndex, state.durability.durableIndex());",
                        "long match = verifiedIndex;"),
                Mutant.of(
                        "leader-counts-itself-before-fsync",
                        "R2.1, C08",
                        RAFT + "Leadership.java",
                        "peers.majorityReached(Peer::match, state.durability.durableIndex())",
                        "peers.majorityReached(Peer::match, state.log.lastIndex())"),
                Mutant.of(
                                "answer-before-fsync",
                                "R2.1, C08",
                                RAFT + "AppendReceiver.java",
                                "long match = Math.min(verifiedIndex, state.durability.durableIndex());",
                                "long match = verifiedIndex;")
                        .and(
                                RAFT + "Leadership.java",
                                "return peers.majorityReached(Peer::match, state.durability.durableIndex());",
                                "return peers.majorityReached(Peer::match, state.log.lastIndex());")
                        .and(
                                RAFT + "ReplicaState.java",
                                "return Math.min(commitIndex, durability.durableIndex());",
                                "return commitIndex;"),
                Mutant.of(
                        "vote-before-fsync",
                        "thesis figure 3.1",
                        RAFT + "Outbox.java",
                        "return durability.hardStateIsDurable();",
                        "return true;"),
                Mutant.of(
                        "commit-without-majority",
                        "R2.1",
                        RAFT + "Leadership.java",
                        "return peers.majorityReached(Peer::match, state.durability.durableIndex());",
                        "return state.durability.durableIndex();"),
                Mutant.of(
                        "commit-old-term-by-counting",
                        "thesis §3.6.2",
                        RAFT + "Leadership.java",
                        "return state.log.termAt(index) == state.term();",
                        "return true;"),
                Mutant.of(
                        "vote-twice-after-restart",
                        "thesis figure 3.1",
                        RAFT + "Restoration.java",
                        "HardState hardState = state.hardState();",
                        "HardState hardState = new HardState(state.hardState().term(), null);"),
                Mutant.of(
                        "wiped-replica-votes",
                        "R8.2, C16",
                        RAFT + "ReplicaId.java",
                        "    public ReplicaId {",
                        "    public ReplicaId {\n        value = value.replaceAll(\"@.*\", \"\");"));
    }

    private static List<Mutant> leadership() {
        return List.of(
                Mutant.of(
                        "confirm-without-asking",
                        "R2.6",
                        RAFT + "ReadRounds.java",
                        "long answered = peers.majorityReached(Peer::echoedRound, newestRound);",
                        "long answered = newestRound;"),
                // Also without the check-quorum, which hides the former from most histories.
                Mutant.of(
                                "ask-nobody-whether-it-leads",
                                "R2.6, R2.8",
                                RAFT + "ReadRounds.java",
                                "long answered = peers.majorityReached(Peer::echoedRound, newestRound);",
                                "long answered = newestRound;")
                        .and(RAFT + "Leadership.java", "if (state.now() < contactEndsNanos) {", "if (true) {"),
                Mutant.of(
                        "refuse-what-is-proposed-as-not-done",
                        "R2.7, C70",
                        REPLICA + "ProposalQueue.java",
                        "waiting.forEach(command -> refuse(command.asker(), ErrorCode.UNAVAILABLE, true, CommitWatch.WHY));",
                        "java.util.stream.Stream.concat(waiting.stream(), byTag.values().stream().flatMap(one ->"
                                + " one.commands().stream())).forEach(command -> refuse(command.asker(),"
                                + " ErrorCode.UNAVAILABLE, true, CommitWatch.WHY));"),
                Mutant.of(
                        "join-a-running-round",
                        "R2.6",
                        RAFT + "ReadRounds.java",
                        "waiting.add(tag); // never joins a running round (R2.6)",
                        "(running.isEmpty() ? waiting : running.peekLast().tags()).add(tag);"),
                Mutant.of(
                                "confirm-before-the-no-op",
                                "R2.4, C36",
                                RAFT + "ReadRounds.java",
                                "return state.commitIndex() >= noopIndex;",
                                "return true;")
                        .and(
                                RAFT + "ReadRounds.java",
                                "Math.max(state.commitIndex(), noopIndex)",
                                "state.commitIndex()")
                        .and(
                                REPLICA + "CellDriver.java",
                                "leading = new LeaderService(this, shared, change.term());",
                                "leading = new LeaderService(this, shared, change.term()); leading.takeOver();")
                        .and(
                                REPLICA + "LeaderService.java",
                                "Invariants.check(!serving, \"second takeover in term %d\", term, 0);",
                                "if (serving) { return; }"),
                Mutant.of(
                                "soft-state-survives-terms",
                                "R2.4",
                                REPLICA + "Deadlines.java",
                                "private final long term;",
                                "long term;")
                        .and(
                                REPLICA + "LeaderService.java",
                                "this.deadlines = new Deadlines(term);",
                                "this.deadlines = driver.kept == null ? (driver.kept = new Deadlines(term)) :"
                                        + " driver.kept; this.deadlines.term = term;")
                        .and(
                                REPLICA + "CellDriver.java",
                                "    private @Nullable LeaderService leading;",
                                "    Deadlines kept; private @Nullable LeaderService leading;")
                        .and(
                                CELL + "leader/SessionKeeper.java",
                                "deadlines.clear(); // R2.4: no soft state survives a term",
                                ""),
                Mutant.of(
                                "decision-of-another-term-applies",
                                "R2.5",
                                CELL + "SessionOperations.java",
                                "if (expire.term() != state.term()) { // R2.5",
                                "if (false) {")
                        .and(
                                REPLICA + "LeaderService.java",
                                "this.deadlines = new Deadlines(term);",
                                "this.deadlines = driver.kept == null ? (driver.kept = new Deadlines(term)) :"
                                        + " driver.kept;")
                        .and(
                                REPLICA + "CellDriver.java",
                                "    private @Nullable LeaderService leading;",
                                "    Deadlines kept; private @Nullable LeaderService leading;")
                        .and(
                                CELL + "leader/SessionKeeper.java",
                                "deadlines.clear(); // R2.4: no soft state survives a term",
                                ""));
    }

    private static List<Mutant> sessions() {
        return List.of(
                Mutant.of(
                        "no-full-lease-at-takeover",
                        "R3.3",
                        CELL + "leader/SessionKeeper.java",
                        "opened(session.session(), session.leaseMillis(), nowNanos); // R3.3",
                        "opened(session.session(), session.leaseMillis(), nowNanos - session.leaseMillis() *"
                                + " NANOS_PER_MILLI);"),
                Mutant.of(
                        "renew-what-is-expiring",
                        "R3.2, R3.5: deadline judged at arrival",
                        CELL + "leader/Deadlines.java",
                        "if (timer == null || timer.due) { // R3.2: nothing renews what is due",
                        "if (timer == null) {"),
                Mutant.of(
                        "lease-counted-from-reply",
                        "R1.2",
                        CLIENT + "LeaseClock.java",
                        "trust.extendTo(localExpiry(sentAt));",
                        "trust.extendTo(localExpiry(now));"),
                Mutant.of(
                        "lease-counted-from-resend",
                        "R1.2",
                        CLIENT + "LeaseClock.java",
                        "Long sentAt = sends.get(sendNumber);",
                        "Long sentAt = sends.isEmpty() ? null : sends.lastEntry().getValue();"),
                Mutant.of(
                        "short-sleeps-do-not-count",
                        "R1.3",
                        CLIENT + "../loop/SleepAwareClock.java",
                        "return gain <= resolution ? 0 : gain + resolution;",
                        "return 0;"),
                Mutant.of(
                        "held-in-jeopardy",
                        "R3.4",
                        CLIENT + "Hold.java",
                        "return !over && trust.safeAt(nowNanos);",
                        "return !over;"),
                Mutant.of(
                                "held-until-release-is-answered",
                                "R4.4",
                                CLIENT + "LockMachine.java",
                                "hold.markReleasing(); // R4.4: not held from before its release is sent",
                                "")
                        .and(
                                CLIENT + "LockMachine.java",
                                "public void done(Outcome outcome, long doneAt) {",
                                "public void done(Outcome outcome, long doneAt) { hold.markReleasing();"));
    }

    private static List<Mutant> state() {
        String check =
                "Invariants.check(state.digest() == header.digest(), \"a restored state has the digest that it was"
                        + " frozen with\");";
        return List.of(
                Mutant.of(
                        "apply-a-repeat-again",
                        "R2.7",
                        CELL + "RequestOperations.java",
                        "Outcome stored = session.result(id);",
                        "Outcome stored = null;"),
                Mutant.of(
                                "watermark-missing-from-snapshot",
                                "R2.7",
                                CELL + "session/Session.java",
                                "out.number(watermark); // R2.7",
                                "out.number(0);")
                        .and(CELL + "SnapshotReader.java", check, ""),
                Mutant.of(
                                "revision-missing-from-snapshot",
                                "R2.3",
                                CELL + "SnapshotHeader.java",
                                "out.number(revision); // R2.3",
                                "out.number(0);")
                        .and(CELL + "SnapshotReader.java", check, ""),
                Mutant.of(
                                "release-by-lock-name",
                                "R4.4, C17",
                                CELL + "LockOperations.java",
                                "Node place = state.tree().find(path); // R4.4: the place, not whatever holds the lock"
                                        + " now",
                                "Node place = null; for (NodePath own : state.sessions().ownedBy(session)) { if"
                                        + " (path.parent().equals(own.parent())) { place = state.tree().find(own); break;"
                                        + " } }")
                        .and(CELL + "LockOperations.java", "&& place.createRevision() == token.value();", ";"),
                Mutant.of(
                        "shared-blocked-by-any-lower-place",
                        "R4.2",
                        CELL + "lock/LockQueue.java",
                        "case SHARED -> !lowerExclusive;",
                        "case SHARED -> lowerPlaces == 0;"),
                Mutant.of(
                        "exclusive-ignores-shared",
                        "R4.2",
                        CELL + "lock/LockQueue.java",
                        "case EXCLUSIVE -> lowerPlaces == 0;",
                        "case EXCLUSIVE -> !lowerExclusive;"),
                Mutant.of(
                        "second-in-line-holds-too",
                        "R4.2, N1",
                        CELL + "lock/LockQueue.java",
                        "case EXCLUSIVE -> lowerPlaces == 0;",
                        "case EXCLUSIVE -> lowerPlaces <= 1;"));
    }
}
