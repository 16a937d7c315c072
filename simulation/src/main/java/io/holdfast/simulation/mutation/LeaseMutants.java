package io.holdfast.simulation.mutation;

import java.util.List;

/** Mutants of leased locks: R7.1 to R7.3 and the rules under them. */
final class LeaseMutants {
    private static final String CELL = "cell/src/main/java/io/holdfast/cell/";
    private static final String REPLICA = "replica/src/main/java/io/holdfast/replica/";
    private static final String CLIENT = "client/src/main/java/io/holdfast/client/session/";
    private static final String ASKED = "reads.add(new ReadQueue.Lease(stream, callId, call)); // R2.6, R7.3";

    private LeaseMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "lease-renewed-without-asking",
                        "R2.6, R7.1",
                        REPLICA + "LeaseDesk.java",
                        ASKED,
                        "if (call instanceof LeaseCall.Renew) { confirmed(new ReadQueue.Lease(stream, callId, call)); }"
                                + " else { reads.add(new ReadQueue.Lease(stream, callId, call)); }"),
                Mutant.of(
                        "lease-refused-from-memory",
                        "R7.3",
                        REPLICA + "LeaseDesk.java",
                        ASKED,
                        "if (call instanceof LeaseCall.Acquire) { confirmed(new ReadQueue.Lease(stream, callId, call)); }"
                                + " else { reads.add(new ReadQueue.Lease(stream, callId, call)); }"),
                Mutant.of(
                                "lease-expiry-of-another-term-applies",
                                "R2.5, R7.1",
                                CELL + "LeaseOperations.java",
                                "if (expire.term() != state.term()) { // R2.5: a lease",
                                "if (false) {")
                        .and(
                                REPLICA + "Deadlines.java",
                                "private final LeaseKeeper leases = new LeaseKeeper();",
                                "LeaseKeeper leases = new LeaseKeeper();")
                        .and(
                                REPLICA + "Deadlines.java",
                                "new Command.ExpireLease(grant.name(), grant.token(), term)",
                                "new Command.ExpireLease(grant.name(), grant.token(), leases.bornIn)")
                        .and(
                                REPLICA + "LeaderService.java",
                                "this.deadlines = new Deadlines(term);",
                                "this.deadlines = new Deadlines(term); if (driver.kept == null) { driver.kept ="
                                        + " deadlines.leases; driver.kept.bornIn = term; } deadlines.leases ="
                                        + " driver.kept;")
                        .and(
                                REPLICA + "CellDriver.java",
                                "    private @Nullable LeaderService leading;",
                                "    io.holdfast.cell.leader.LeaseKeeper kept; private @Nullable LeaderService leading;")
                        .and(
                                CELL + "leader/LeaseKeeper.java",
                                "private final Map<LeaseName, LeaseGrant> grants",
                                "public long bornIn; private final Map<LeaseName, LeaseGrant> grants")
                        .and(
                                CELL + "leader/LeaseKeeper.java",
                                "clear(); // R2.4: no lease deadline survives a term",
                                ""),
                Mutant.of(
                        "lease-renewed-although-expiring",
                        "R7.1",
                        CELL + "leader/LeaseKeeper.java",
                        "&& !deadlines.settle(name, nowNanos) // R7.1: expiring, judged when confirming\n"
                                + "                && deadlines.renew(name, nowNanos);",
                        "&& (deadlines.renew(name, nowNanos) || true);"),
                Mutant.of(
                        "lease-released-by-name",
                        "R7.3",
                        CELL + "LeaseOperations.java",
                        "if (present != null && present.is(release.owner(), release.token())) { // R7.3: all three fields",
                        "if (present != null) {"),
                Mutant.of(
                                "renewal-revives-a-released-lease",
                                "R7.3, C25",
                                REPLICA + "LeaseDesk.java",
                                "if (present == null || !present.is(renew.owner(), renew.token())) { // R7.3: all fields must"
                                        + " match",
                                "if (present != null && !present.is(renew.owner(), renew.token())) {")
                        .and(
                                CELL + "leader/LeaseKeeper.java",
                                "grants.remove(name); // what is over is renewed no more\n"
                                        + "            deadlines.remove(name);",
                                ""),
                Mutant.of(
                        "no-full-lease-for-leases-at-takeover",
                        "R3.3, R7.1",
                        CELL + "leader/LeaseKeeper.java",
                        "granted(grant, nowNanos); // R7.1: full from takeover",
                        "granted(grant, nowNanos - grant.leaseMillis() * SessionKeeper.NANOS_PER_MILLI);"),
                Mutant.of(
                                "leased-hold-counted-from-answer",
                                "R1.2, R7.2",
                                CLIENT + "LeaseHolds.java",
                                "hold.confirmed(localExpiry(sentAt, remainingMillis, hold.leaseMillis())); // R1.2: from its"
                                        + " send",
                                "hold.confirmed(localExpiry(now, remainingMillis, hold.leaseMillis()));")
                        .and(
                                CLIENT + "LeaseAttempts.java",
                                "LeaseHolds.localExpiry(sentAt, granted.remainingMillis(), acquire.leaseMillis()); // R1.2",
                                "LeaseHolds.localExpiry(now, granted.remainingMillis(), acquire.leaseMillis());"),
                Mutant.of(
                        "lease-request-id-is-ignored",
                        "R2.7, R7.2",
                        CELL + "lease/LeaseRecord.java",
                        "&& requestId.equals(acquire.requestId())",
                        ""));
    }
}
