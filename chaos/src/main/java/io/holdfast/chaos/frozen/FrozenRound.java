package io.holdfast.chaos.frozen;

import io.holdfast.chaos.proc.ReplicaProcess;
import io.holdfast.chaos.proc.Shell;
import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Threads;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.RefusedException;
import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One round: the leader is stopped while a live client holds a lock through it and others are attached to it; the cell chooses
 * another, values are written through that one; then the old leader goes on, and must not say anything that is not so any more.
 *
 * <p><b>Thread:</b> one.
 *
 * <p><b>Source:</b> R2.4, R2.6, R2.8, R3.5; C36, C38.
 */
final class FrozenRound implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BEFORE = Duration.ofMillis(1_500);
    private static final Duration AWAKE = Duration.ofMillis(3_500);
    /** So long after it woke it hears nothing of its peers, in rounds with a cut. */
    private static final Duration DEAF = Duration.ofMillis(1_500);

    private static final Duration STOP = Duration.ofSeconds(2);
    private static final int SESSIONS = 3;
    private static final int CONNECTIONS = 6;
    /** Opened while the leader is stopped: the kernel takes them, and it finds them when it wakes. */
    private static final int LATE_CONNECTIONS = 2;

    private final ShowCell cell;
    private final CellView view;
    private final Verdict verdict;
    private final Duration freeze;
    private final boolean cutPeers;
    private final String name;
    private final ReplicaProcess old;
    private final HoldfastClient others;
    private final ReadLedger reads;
    private final ReadBattery battery;
    private final List<OldSession> sessions = new ArrayList<>();
    private final LiveHolder holder;
    private final ValueWriter writer;
    private final Contender contender;
    private final Firing firing;
    private final long oldTerm;

    /**
     * What was seen.
     *
     * @param reads by when they were sent
     * @param writes acknowledged while the leader was stopped
     * @param dropped packets between it and its peers; 0 if they were not cut
     */
    record Seen(
            String old,
            String next,
            long nextTerm,
            double secondsToNext,
            long writes,
            long dropped,
            Map<Phase, ReadLedger.Tally> reads,
            long keepAlives,
            long changes,
            int confirmed,
            long contended,
            int jeopardies) {}

    /**
     * @param cutPeers whether it also loses what its peers send, until a while after it woke
     * @param name unique in the life of the cell
     */
    FrozenRound(ShowCell cell, CellView view, Verdict verdict, Duration freeze, boolean cutPeers, String name)
            throws InterruptedException {
        this.cell = cell;
        this.view = view;
        this.verdict = verdict;
        this.freeze = freeze;
        this.cutPeers = cutPeers;
        this.name = name;
        Answer.Status status = view.await(CellView::isWhole, PATIENCE)
                .orElseThrow(() -> new IllegalStateException("the cell was not whole in time: " + view.status()));
        String leader = String.valueOf(status.leader());
        this.old = cell.replica(leader);
        this.oldTerm = status.term();
        this.others = HoldfastClient.builder()
                .withoutCache()
                .endpoints(cell.endpointsBut(Set.of(leader)))
                .clientName("others")
                .callTimeout(PATIENCE)
                .build();
        NodePath value = new NodePath("/frozen/" + name + "/newest");
        NodePath lock = new NodePath("/frozen/" + name + "/lock");
        NewestValue newest = new NewestValue();
        this.reads = new ReadLedger(newest);
        this.battery = new ReadBattery(cell.address(leader), value, reads);
        this.holder = new LiveHolder(cell, leader, lock.value(), verdict);
        for (int i = 0; i < SESSIONS; i++) {
            OldSession session = new OldSession(cell.address(leader), name + "-" + i, lock, verdict);
            sessions.add(session);
            session.open(PATIENCE);
        }
        this.writer = new ValueWriter(others, value.value(), newest);
        this.contender = new Contender(others, lock.value(), verdict);
        this.firing = new Firing(battery, sessions);
    }

    /** Runs it; bounded in time by the length of its phases and the patience of its waits. */
    Seen run() throws InterruptedException {
        battery.widen(CONNECTIONS);
        Threads threads = new Threads(name);
        threads.start("writer", writer);
        threads.start("contender", contender);
        threads.start("firing", firing);
        TimeUnit.NANOSECONDS.sleep(BEFORE.toNanos());

        Frozen frozen = freeze();
        TimeUnit.NANOSECONDS.sleep(AWAKE.toNanos() - (cutPeers ? DEAF.toNanos() : 0));
        firing.finish();
        writer.finish();
        contender.finish();
        threads.join(PATIENCE);
        return judge(frozen);
    }

    private record Frozen(Optional<Answer.Status> next, double secondsToNext, long writes, long dropped) {}

    /** Stops the leader and lets it go on. */
    private Frozen freeze() throws InterruptedException {
        Shell.signal("STOP", List.of(old.pid()));
        long stoppedAt = System.nanoTime();
        long wakeAt = stoppedAt + freeze.toNanos();
        PeerCut cut = null;
        Optional<Answer.Status> next;
        double secondsToNext;
        long writesBefore = writer.acknowledged();
        try {
            awaitFrozen();
            enter(Phase.FROZEN);
            if (cutPeers) {
                cut = new PeerCut(name, old.pid(), cell.peerPort(old.name()), cell.peerPortsBut(old.name()));
            }
            next = view.await(status -> status.leader() != null && status.term() > oldTerm, freeze);
            secondsToNext = (System.nanoTime() - stoppedAt) / 1e9;
            firing.widen(LATE_CONNECTIONS);
            if (cut != null) {
                TimeUnit.NANOSECONDS.sleep(wakeAt - System.nanoTime() - 2 * Firing.EARLY.toNanos());
                cut.beforeWaking();
            }
            TimeUnit.NANOSECONDS.sleep(wakeAt - System.nanoTime() - Firing.EARLY.toNanos());
            firing.burst();
            if (cut != null) {
                cut.beforeWaking();
            }
            TimeUnit.NANOSECONDS.sleep(wakeAt - System.nanoTime());
        } finally {
            enter(Phase.AWAKE);
            Shell.signal("CONT", List.of(old.pid()));
        }
        long writes = writer.acknowledged() - writesBefore;
        long dropped = 0;
        if (cut != null) {
            TimeUnit.NANOSECONDS.sleep(DEAF.toNanos());
            dropped = cut.dropped();
            cut.close();
        }
        return new Frozen(next, secondsToNext, writes, dropped);
    }

    private void awaitFrozen() throws InterruptedException {
        long end = System.nanoTime() + STOP.toNanos();
        while (!old.isFrozen()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(old + " did not stop");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void enter(Phase phase) {
        reads.enter(phase);
        sessions.forEach(session -> session.ledger().enter(phase));
    }

    private Seen judge(Frozen frozen) throws InterruptedException {
        if (cutPeers && frozen.dropped() == 0) {
            throw new IllegalStateException("the cut between " + old + " and its peers had no effect");
        }
        Optional<Answer.Status> next = frozen.next();
        if (next.isEmpty() || frozen.writes() == 0) {
            verdict.finding(
                    "N6",
                    "round %s: while %s was frozen there was no leader or no write was acknowledged: %s",
                    name,
                    old,
                    next);
        }
        if (view.await(CellView::isWhole, PATIENCE).isEmpty()) {
            verdict.finding("N6", "round %s: %s did not come back into its cell", name, old);
        }
        holder.requireHeld(others);
        int confirmed = 0;
        for (OldSession session : sessions) {
            for (ConfirmationLedger.Confirmed change : session.confirmed()) {
                confirmed++;
                requireCommitted(change);
            }
        }
        Map<Phase, ReadLedger.Tally> tallies = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            ReadLedger.Tally tally = reads.tally(phase);
            tallies.put(phase, tally);
            if (tally.stale() > 0) {
                verdict.finding(
                        "R2.6",
                        "round %s: %d of %d answered reads that were sent to the old leader (%s) were stale: %s",
                        name,
                        tally.stale(),
                        tally.answered(),
                        phase,
                        reads.staleExample(phase));
            }
        }
        return new Seen(
                old.name(),
                next.map(Answer.Status::leader).orElse("nobody"),
                next.map(Answer.Status::term).orElse(0L),
                frozen.secondsToNext(),
                frozen.writes(),
                frozen.dropped(),
                tallies,
                sessions.stream()
                        .mapToLong(session -> session.ledger().keepAlivesAsked())
                        .sum(),
                sessions.stream()
                        .mapToLong(session -> session.ledger().changesAsked())
                        .sum(),
                confirmed,
                contender.refused(),
                holder.jeopardies());
    }

    /** What was confirmed must be there, at the revision that was told. */
    private void requireCommitted(ConfirmationLedger.Confirmed change) {
        try {
            Answer.NodeStat found = others.admin().stat(change.node().value());
            if (found.createRevision() != change.revision()) {
                verdict.finding("R2.1", "round %s: %s was confirmed, but there is %s", name, change, found);
            }
        } catch (RefusedException missing) {
            verdict.finding("R2.1", "round %s: %s was confirmed and is not there", name, change);
        }
    }

    @Override
    public void close() {
        firing.finish();
        writer.finish();
        contender.finish();
        battery.close();
        sessions.forEach(OldSession::close);
        holder.close();
        others.close();
    }
}
