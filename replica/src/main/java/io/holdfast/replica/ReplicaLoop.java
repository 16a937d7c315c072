package io.holdfast.replica;

import io.holdfast.cell.CellStateMachine;
import io.holdfast.cell.leader.PauseDetector;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.raft.Invariants;
import io.holdfast.raft.MembershipChange;
import io.holdfast.raft.RaftCore;
import io.holdfast.raft.RaftInput;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.LoopInput.FromPeer;
import io.holdfast.replica.LoopInput.FromUpstream;
import io.holdfast.replica.LoopInput.Internal;
import io.holdfast.replica.LoopInput.PeerClosed;
import io.holdfast.replica.LoopInput.UpstreamClosed;
import io.holdfast.storage.CellId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Drives every cell of a replica process: takes what arrived, steps the cells until nothing is left to do, sends.
 *
 * <p>It owns no thread and reads no clock: {@link LoopThread} turns it in real life, the simulation turns this very class
 * on virtual time.
 *
 * <p><b>Thread:</b> {@link #offer}, {@link #status} and {@link #hasMail} may be called by any thread; everything else by one
 * thread at a time.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>The time of a turn was read after everything that the turn handles had arrived ({@link #gather}, then the clock,
 *       then {@link #turn}): a lease counted from it never ends before one that the client counts from its send (R1.2).
 *   <li>After a failed check the loop does nothing any more; the owner must end the process.
 *   <li>Consensus runs only once the replica is formed, and promises nothing before it is on record that it takes part
 *       (R8.2, ADR 0002).
 * </ol>
 */
public final class ReplicaLoop {
    /** More passes in one turn than this mean that something answers itself for ever. */
    private static final int MAX_PASSES = 100_000;

    private final Mailbox mailbox;
    private final LoopShared shared;
    private final Formation formation;
    private final LoopReports reports;
    private final PauseDetector pauses;
    private final List<CellStart> starts = new ArrayList<>();
    /** Whether a log or a snapshot was found. */
    private final boolean hasData;

    private final Map<CellId, CellDriver> drivers = new TreeMap<>();
    /** The first cell: links of front ends speak to it unless they name another. */
    private final CellId frontCell;
    /** The others. */
    private final int shards;

    private final LeadBalance balance;

    private List<LoopInput> gathered = new ArrayList<>();
    private boolean isGathered;
    private boolean failed;
    private boolean running;
    /** When the last turn was; before the first one {@link Long#MIN_VALUE}. */
    private long turnedNanos = Long.MIN_VALUE;

    private long deadlineNanos = Long.MIN_VALUE;

    /**
     * Restores the cells from disk; blocks on it. Nothing is sent or served before the first {@link #turn}.
     *
     * @param cells at least one; front ends are connected to the first, the others are the shards of the deployment
     * @param recorded what the identity store of {@code seams} holds
     * @param wake runs on any thread when a turn is needed because something arrived; must not block
     * @throws StartRefusedException if the data on disk cannot be whole (R8.3)
     * @throws IOException if a snapshot is damaged or cannot be read
     */
    public ReplicaLoop(
            ReplicaSettings settings,
            ReplicaSeams seams,
            List<HostedCell> cells,
            FormationRecord recorded,
            Runnable wake)
            throws IOException {
        mailbox = new Mailbox(wake);
        shards = cells.size() - 1;
        shared = new LoopShared(settings, seams, mailbox, recorded.started(), shards);
        reports = new LoopReports(shared);
        balance = new LeadBalance(shared, cells.get(0).id());
        pauses = new PauseDetector(settings.pauseGapNanos());
        frontCell = cells.get(0).id();
        for (HostedCell cell : cells) {
            starts.add(CellStart.load(cell, seams.log()));
        }
        hasData = starts.stream().anyMatch(CellStart::hasData);
        CellStart.checkAgainst(recorded, hasData);
        formation = new Formation(settings, seams, shared.notices(), recorded, hasData, shared::post, shards);
    }

    // ---- for any thread

    /** Posts an input for the next turn; false if it was dropped because too much waits. */
    public boolean offer(LoopInput input) {
        return mailbox.offer(input);
    }

    /** Whether something waits for a turn. */
    public boolean hasMail() {
        return !mailbox.isEmpty();
    }

    /** The state after the last turn. */
    public ReplicaStatus status() {
        return reports.status();
    }

    // ---- for the thread that turns

    /** Takes what has arrived, to be handled in the next turn. Call it before reading the clock for that turn. */
    public void gather() {
        gathered.addAll(mailbox.takeAll());
        isGathered = true;
    }

    /**
     * One turn: handles what was gathered, and what fell due, and sends. Without a {@link #gather} before it, it gathers by
     * itself; that is right only if time stands still meanwhile, as in a simulation.
     */
    public void turn(long nowNanos) {
        if (failed) {
            return;
        }
        try {
            runTurn(nowNanos);
        } catch (RuntimeException | Error broken) {
            failed = true;
            reports.publishFailure(running);
            shared.seams().listener().fatal(broken);
        }
    }

    /** Turn again no later than this; before the first turn {@link Long#MIN_VALUE}. */
    public long nextDeadlineNanos() {
        return failed ? Long.MAX_VALUE : deadlineNanos;
    }

    private void runTurn(long nowNanos) {
        if (!isGathered) {
            gather();
        }
        isGathered = false;
        shared.advanceTo(nowNanos);
        noticePause();
        List<LoopInput> inputs = gathered;
        gathered = new ArrayList<>();
        inputs.forEach(this::handle);
        mailbox.overrunLinks().forEach(this::cutOverrun);
        formation.tick(shared.now());
        if (formation.isFormed() && !running && mayTakePart()) {
            startCells();
        }
        if (running) {
            reports.tellLeaders(drivers.values());
            balance.tick(drivers.values());
        }
        drivers.values().forEach(CellDriver::tick);
        workUntilQuiet();
        shared.outbox().flush();
        deadlineNanos = computeDeadline();
        reports.publish(running, drivers.values());
        turnedNanos = shared.now();
    }

    /** R1.3: a pause extends what this replica enforces on others, before anything is judged in this turn. */
    private void noticePause() {
        if (turnedNanos == Long.MIN_VALUE) {
            return;
        }
        // What was due before the last turn says nothing about how long nothing was done.
        long gapNanos = pauses.tick(Math.max(deadlineNanos, turnedNanos), shared.now());
        if (gapNanos > 0) {
            drivers.values().forEach(driver -> driver.paused(gapNanos));
        }
    }

    private void workUntilQuiet() {
        boolean worked = true;
        for (int pass = 0; worked; pass++) {
            Invariants.check(pass < MAX_PASSES, "a turn does not end after %d passes", pass, 0);
            worked = false;
            for (CellDriver driver : drivers.values()) {
                worked |= driver.work();
            }
        }
    }

    /** What an earlier life left in the log is answered for without being written again, so the mark comes first. */
    private boolean mayTakePart() {
        if (hasData) {
            shared.startMark().record();
        }
        return !hasData || shared.startMark().isRecorded();
    }

    private void startCells() {
        running = true;
        for (CellStart start : starts) {
            boolean first = start.id().equals(frontCell);
            drivers.put(start.id(), new CellDriver(start, formation.initialMembership(), shared, first));
        }
        starts.clear();
        shared.seams().listener().formed();
    }

    // ---- inputs

    private void handle(LoopInput input) {
        if (input instanceof Internal internal) {
            internal.action().run();
        } else if (input instanceof FromPeer peer) {
            fromPeer(peer.frame());
        } else if (input instanceof FromUpstream upstream) {
            fromUpstream(upstream.link(), upstream.frame());
        } else if (input instanceof UpstreamClosed closed) {
            drivers.values().forEach(driver -> driver.linkClosed(closed.link()));
        } else if (input instanceof PeerClosed closed) {
            shared.contacts().closed(closed.peer());
            drivers.values().forEach(driver -> driver.peerDisconnected(closed.peer()));
        }
    }

    private void fromPeer(PeerFrame frame) {
        if (frame instanceof PeerFrame.Greeting greeting) {
            formation.onGreeting(greeting, presentMembers(), shared.now());
        } else if (frame instanceof PeerFrame.Messages messages && isForMe(messages.to())) {
            shared.contacts().heard(messages.from(), shared.now());
            consensus(messages);
        } else if (frame instanceof PeerFrame.Status peerStatus && isForMe(peerStatus.to())) {
            reports.received(peerStatus, drivers);
        }
    }

    /** R7.4: replicas that count the shards differently would give a name two homes, so their shards do not speak. */
    private void consensus(PeerFrame.Messages messages) {
        boolean sameShards = messages.shards() == shards;
        for (CellMessage message : messages.messages()) {
            CellDriver driver = drivers.get(message.cell());
            if (driver != null && (sameShards || message.cell().equals(frontCell))) {
                driver.step(new RaftInput.Received(messages.from(), message.message()));
            }
        }
        if (!sameShards) {
            String notice = FormationNotices.otherShards(messages.from(), messages.shards(), shards);
            shared.notices().say(notice, shared.now());
        }
    }

    /** What was meant for an earlier incarnation of this name is not for this one (R8.2, C16). */
    private boolean isForMe(ReplicaId to) {
        return to.equals(shared.settings().self());
    }

    private SortedSet<ReplicaId> presentMembers() {
        SortedSet<ReplicaId> members = new TreeSet<>();
        drivers.values().forEach(driver -> members.addAll(driver.members()));
        return members;
    }

    private void fromUpstream(long link, UpstreamFrame frame) {
        if (frame instanceof UpstreamFrame.ToCell other) {
            toShard(link, other);
            return;
        }
        CellDriver driver = drivers.get(frontCell);
        if (driver == null) {
            ClientStreams.refuseLink(shared.seams().upstream(), link, "the cell is not formed yet");
        } else {
            driver.fromUpstream(link, frame);
        }
    }

    private void toShard(long link, UpstreamFrame.ToCell frame) {
        for (CellDriver driver : drivers.values()) {
            if (driver.id().value().equals(frame.cell())) {
                driver.fromUpstream(link, frame.frame());
                return;
            }
        }
        String why = shared.settings().self().name() + " has no cell " + frame.cell() + ", or it is not formed yet";
        if (frame.frame() instanceof UpstreamFrame.Forward forward) {
            DownstreamFrame refusal = CellDriver.refusal(forward, why);
            shared.seams().upstream().send(link, new DownstreamFrame.FromCell(frame.cell(), refusal));
        }
    }

    private void cutOverrun(long link) {
        drivers.values().forEach(driver -> driver.linkClosed(link));
        ClientStreams.refuseLink(
                shared.seams().upstream(),
                link,
                "too much waits at " + shared.settings().self().name());
        mailbox.linkCut(link);
    }

    // ---- time and view

    private long computeDeadline() {
        long deadline = formation.nextDeadlineNanos();
        for (CellDriver driver : drivers.values()) {
            deadline = Math.min(deadline, driver.nextDeadlineNanos());
        }
        return running
                ? Math.min(deadline, Math.min(reports.nextDeadlineNanos(), balance.nextDeadlineNanos()))
                : deadline;
    }

    // ---- for tools and for the checks of a simulation; on the turning thread, for example from an Internal input

    /** Hands the lead of a cell to the voter with this name, if this replica leads and there is one. */
    public void transferLeadership(CellId cell, String name) {
        CellDriver driver = drivers.get(cell);
        if (driver != null) {
            driver.transferLeadership(name);
        }
    }

    /** Hands over the lead of every cell that this replica leads, each to the voter that can take it soonest. */
    public void handOverLeads() {
        drivers.values().forEach(CellDriver::handOverLead);
    }

    /** As {@link #handOverLeads}, and wants none back until {@link #acceptLeads}. */
    public void refuseLeads() {
        shared.refuseLeads(true);
        handOverLeads();
        if (running) {
            reports.tellAll(drivers.values());
        }
    }

    /** Takes leads again. */
    public void acceptLeads() {
        shared.refuseLeads(false);
    }

    /** Asks for one step of a membership change; what comes of it shows in the membership, a refusal in a notice. */
    public void changeMembership(CellId cell, MembershipChange change) {
        CellDriver driver = drivers.get(cell);
        if (driver != null) {
            driver.changeMembership(change);
        }
    }

    /** The consensus of a cell, to look at only; null until formed. */
    public @Nullable RaftCore core(CellId cell) {
        CellDriver driver = drivers.get(cell);
        return driver == null ? null : driver.core();
    }

    /** The state of a cell, to look at only; null until formed. Another object after a snapshot was installed. */
    public @Nullable CellStateMachine machine(CellId cell) {
        CellDriver driver = drivers.get(cell);
        return driver == null ? null : driver.machine();
    }
}
