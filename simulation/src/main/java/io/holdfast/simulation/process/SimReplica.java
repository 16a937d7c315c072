package io.holdfast.simulation.process;

import io.holdfast.cell.CellLimits;
import io.holdfast.cell.CellStateMachine;
import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.proxy.core.LeaderViews;
import io.holdfast.raft.MembershipChange;
import io.holdfast.raft.RaftConfig;
import io.holdfast.raft.RaftCore;
import io.holdfast.raft.RaftOutput;
import io.holdfast.raft.RaftStatus;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.FormationRecord;
import io.holdfast.replica.HostedCell;
import io.holdfast.replica.IdentityStore;
import io.holdfast.replica.LoopInput;
import io.holdfast.replica.PeerFrame;
import io.holdfast.replica.ReplicaListener;
import io.holdfast.replica.ReplicaLoop;
import io.holdfast.replica.ReplicaSeams;
import io.holdfast.replica.ReplicaSettings;
import io.holdfast.replica.ReplicaStatus;
import io.holdfast.simulation.check.CellChecks;
import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.disk.LogWatcher;
import io.holdfast.simulation.disk.SimDisk;
import io.holdfast.simulation.disk.SimLogStore;
import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import io.holdfast.storage.DataDirectory;
import io.holdfast.storage.LogStore;
import io.holdfast.storage.RecoveredLog;
import io.holdfast.storage.WriteAheadLog;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A replica process: the service's loop over a simulated log writer, worker and network, and its front end. */
public final class SimReplica extends EndpointProcess implements LogWatcher {
    public static final CellId CELL = new CellId("main");
    static final String DEPLOYMENT = "simulated";
    /** First thing on a client's stream; answered with itself when the process has taken the connection. */
    static final Object CONNECT = new Object();
    /** No link has this number. */
    private static final long NO_LINK = -1;

    private static final long BEAT_NANOS = LeaderViews.BEAT_NANOS;

    private final ReplicaConfig config;
    private final CellChecks checks;
    /** The first one first. */
    private final List<CellId> cells = new ArrayList<>();

    private final SimDisk disk;
    private final List<SimReplica> peers;
    private @Nullable Running running;
    /** Rises when the disk is replaced. */
    private int incarnations = 1;

    /** Then it may refuse to start. */
    private boolean logLost;

    private boolean turnPlanned;
    /** What it tells proxies. */
    private LeadersView told;

    private boolean beating;

    /** What exists only while the process lives. */
    private record Running(
            ReplicaLoop loop, SimLogStore log, FrontEndHost frontEnd, ReplicaId id, ArrayDeque<Runnable> work) {}

    /** @param peers all replicas of the cell, in order; filled by the caller */
    public SimReplica(
            World world,
            int hostId,
            String name,
            double rho,
            SimNetwork network,
            ReplicaConfig config,
            CellChecks checks,
            List<SimReplica> peers) {
        super(world, hostId, rho, name, network);
        this.config = config;
        this.checks = checks;
        this.peers = peers;
        cells.add(CELL);
        shards().cellNames().forEach(cell -> cells.add(new CellId(cell)));
        this.told = viewOfNothing();
        this.disk = new SimDisk(name, world.rng().split(), world.coverage());
    }

    Shards shards() {
        return new Shards(config.shards());
    }

    public SimDisk disk() {
        return disk;
    }

    // ---- life and death

    /** Starts the process on what its disk holds. A power cut may end the start itself. */
    public void start() {
        if (isAlive()) {
            return;
        }
        born();
        turnPlanned = false;
        try {
            running = open();
        } catch (SimDisk.PowerCut cut) {
            crashed();
            startAgainLater();
            return;
        } catch (IOException refused) {
            if (disk.isLimited()) {
                crashed();
                startAgainLater();
                return;
            }
            if (logLost) {
                crashed();
                return;
            }
            throw new Violation("restarts", name + " refuses to start after a mere crash: " + refused);
        }
        planTurn();
    }

    private void startAgainLater() {
        world.after(World.SECOND, EventKind.START, hostId(), this::start);
    }

    private Running open() throws IOException {
        if (world.rng().chance(0.05)) {
            disk.cutPowerAfter(world.rng().below(12));
        }
        DataDirectory data = DataDirectory.open(
                disk, DEPLOYMENT, name, () -> "i" + incarnations, new TreeSet<>(cells), config.log());
        if (config.shards() > 0) {
            data.useShards(config.shards());
        }
        Map<CellId, RecoveredLog> recovered = new TreeMap<>();
        data.takeCells().forEach((cell, found) -> recovered.put(cell, found.log()));
        if (!data.log().report().cuts().isEmpty()) {
            world.coverage().seen(Seen.LOG_TAIL_CUT);
        }
        ReplicaId id = data.identity().replicaId();
        SimLogStore log =
                new SimLogStore(world, hostId(), disk, data.log(), recovered, new LogFailure(), this, config.disk());
        ArrayDeque<Runnable> work = new ArrayDeque<>();
        FrontEndHost frontEnd = new FrontEndHost(
                network, this, new UpstreamLinks(this, checks.first().stoppedStreams()), peers, shards());
        told = viewOfNothing();
        beating = false;
        recovered.forEach((cell, found) -> checks.of(cell).recovered(hostId(), found));
        ReplicaSeams seams = new ReplicaSeams(
                log,
                new Identities(data),
                this::sendToPeer,
                frontEnd.requireLinks(),
                this::submit,
                world.rng().split()::below,
                new Listener(),
                () -> clock().wallMillis(world.nowNanos()));
        ReplicaLoop loop = new ReplicaLoop(
                new ReplicaSettings(
                        id,
                        DEPLOYMENT,
                        config.members(),
                        config.raft(),
                        config.snapshots(),
                        ReplicaSettings.DEFAULT_PAUSE_GAP_NANOS),
                seams,
                hosted(data),
                new FormationRecord(
                        data.identity().formedMembers(), data.identity().started()),
                this::planTurn);
        disk.cutPowerAfter(-1);
        return new Running(loop, log, frontEnd, id, work);
    }

    private List<HostedCell> hosted(DataDirectory data) {
        List<HostedCell> hosted = new ArrayList<>();
        for (CellId cell : cells) {
            RaftConfig raft = cell.equals(CELL) ? config.raft() : config.shardRaft();
            hosted.add(new HostedCell(cell, data.snapshots(cell), CellLimits.defaults(), raft));
        }
        return hosted;
    }

    /** The process dies; the machine's power too, so unsynced bytes may go. */
    public void kill() {
        if (!isAlive()) {
            return;
        }
        world.coverage().seen(Seen.REPLICA_KILLED);
        if (running != null) {
            running.log().crash();
            finishWorkPartly(running.work());
        }
        crashed();
    }

    private void crashed() {
        disk.crash();
        running = null;
        died();
        network.hostDied(this);
        closeConnectionsToPeers();
    }

    /** The others see its connections close. */
    public void closeConnectionsToPeers() {
        for (SimReplica peer : peers) {
            if (peer != this && peer.isAlive()) {
                network.closeConnection(this, peer, () -> peer.offer(new LoopInput.PeerClosed(name)));
            }
        }
    }

    /** What the worker was at is cut off somewhere in the middle. */
    private void finishWorkPartly(ArrayDeque<Runnable> work) {
        if (work.isEmpty()) {
            return;
        }
        disk.cutPowerAfter(world.rng().below(8));
        try {
            work.remove().run();
        } catch (SimDisk.PowerCut cut) {
            world.observe(EventKind.WORKER, hostId(), 1);
        }
    }

    /** The dead process's disk is replaced by an empty one: the replica comes back as a stranger (C16). */
    public void wipe() {
        if (!isAlive()) {
            world.coverage().seen(Seen.REPLICA_WIPED);
            disk.wipe();
            incarnations++;
            logLost = false;
            checks.all().forEach(each -> each.wiped(hostId()));
        }
    }

    /** The dead process's disk turns out to have kept nothing of the log but its files; the identity is whole (C16). */
    public void loseLog() throws IOException {
        if (isAlive()) {
            throw new IllegalStateException(name + " is alive");
        }
        for (String file : disk.list(DataDirectory.LOG_DIRECTORY)) {
            disk.delete(DataDirectory.LOG_DIRECTORY + "/" + file);
        }
        WriteAheadLog.open(disk, DataDirectory.LOG_DIRECTORY, "i" + incarnations, config.log())
                .close();
        logLost = true;
    }

    // ---- the loop

    private void planTurn() {
        if (turnPlanned || !isAlive()) {
            return;
        }
        turnPlanned = true;
        later(world.rng().below(50 * World.MICRO), EventKind.TURN, this::turn);
    }

    private void turn() {
        turnPlanned = false;
        Running now = running;
        if (now == null) {
            return;
        }
        now.loop().gather();
        now.loop().turn(localNanos());
        cells.forEach(cell -> report(now.loop(), cell, checks.of(cell)));
        if (now.loop().hasMail()) {
            planTurn();
        }
        wakeAt(nextDeadlineNanos());
    }

    private void report(ReplicaLoop loop, CellId cell, Checks ofCell) {
        RaftCore core = loop.core(cell);
        CellStateMachine machine = loop.machine(cell);
        if (core == null || machine == null) {
            return;
        }
        RaftStatus status = core.status();
        ofCell.commits(hostId(), status.term(), status.isLeader(), status.commitIndex());
        ofCell.turned(hostId(), status.term(), machine.appliedIndex(), machine.digest());
        if (status.isLeader()) {
            ofCell.leads(hostId(), status.term());
        } else {
            ofCell.leadsNoMore(hostId());
        }
    }

    @Override
    protected long nextDeadlineNanos() {
        return running == null
                ? Long.MAX_VALUE
                : Math.min(
                        running.loop().nextDeadlineNanos(), running.frontEnd().nextDeadlineNanos());
    }

    public void transferLeadership(String target) {
        if (running != null) {
            ReplicaLoop loop = running.loop();
            offer(new LoopInput.Internal(() -> loop.transferLeadership(CELL, target)));
        }
    }

    public void changeMembership(CellId cell, MembershipChange change) {
        if (running != null) {
            ReplicaLoop loop = running.loop();
            offer(new LoopInput.Internal(() -> loop.changeMembership(cell, change)));
        }
    }

    @Override
    protected void woken() {
        planTurn();
        if (running != null) {
            running.frontEnd().tick();
        }
    }

    @Override
    void planWake() {
        if (running != null) {
            wakeAt(running.frontEnd().nextDeadlineNanos());
        }
    }

    /** What it knows of all cells, with this news of one. */
    private LeadersView viewWith(CellId news, @Nullable String leader, long term) {
        List<LeadersView.CellLeader> known = new ArrayList<>(told.cells());
        known.replaceAll(cell ->
                cell.cell().equals(news.value()) ? new LeadersView.CellLeader(news.value(), term, leader) : cell);
        return new LeadersView(DEPLOYMENT, name(), known);
    }

    private LeadersView viewOfNothing() {
        List<LeadersView.CellLeader> known = new ArrayList<>();
        known.add(new LeadersView.CellLeader(CELL.value(), 0, null));
        shards().cellNames().forEach(shard -> known.add(new LeadersView.CellLeader(shard, 0, null)));
        return new LeadersView(DEPLOYMENT, name(), known);
    }

    /** Now, and from now on again and again while anybody listens. */
    void tellFollowers() {
        if (running == null || !running.frontEnd().requireLinks().hasFollowers()) {
            return;
        }
        running.frontEnd().requireLinks().tellFollowers(told);
        if (!beating) {
            beating = true;
            later(BEAT_NANOS, EventKind.TIMER, () -> {
                beating = false;
                tellFollowers();
            });
        }
    }

    void offer(LoopInput input) {
        if (running != null) {
            running.loop().offer(input);
        }
    }

    private void sendToPeer(String peer, PeerFrame frame) {
        if (frame instanceof PeerFrame.Messages messages) {
            messages.messages().forEach(sent -> checks.of(sent.cell()).sent(hostId(), messages.to(), sent.message()));
        }
        for (SimReplica other : peers) {
            if (other.name.equals(peer)) {
                network.sendFrame(this, other, () -> other.offer(new LoopInput.FromPeer(frame)));
            }
        }
    }

    private void submit(Runnable task) {
        ArrayDeque<Runnable> work = work();
        work.add(task);
        if (work.size() == 1) {
            planWork();
        }
    }

    private ArrayDeque<Runnable> work() {
        return running == null ? new ArrayDeque<>() : running.work();
    }

    private void planWork() {
        long takes = world.rng().exponential(config.disk().workerNanos());
        later(takes, EventKind.WORKER, () -> {
            ArrayDeque<Runnable> work = work();
            if (!work.isEmpty()) {
                work.remove().run();
            }
            if (!work.isEmpty()) {
                planWork();
            }
        });
    }

    // ---- the log, as the checks see it

    @Override
    public void requested(CellId cell, RaftOutput.Persist request) {
        checks.of(cell).requested(hostId(), request);
    }

    @Override
    public void durable(CellId cell, RaftOutput.Persist request) {
        checks.of(cell).durable(hostId(), request);
    }

    public @Nullable SimLogStore log() {
        return running == null ? null : running.log();
    }

    public @Nullable ReplicaLoop loop() {
        return running == null ? null : running.loop();
    }

    /** The identity of the present life, or null while it is dead. */
    public @Nullable ReplicaId id() {
        return running == null ? null : running.id();
    }

    public @Nullable CellStateMachine machine() {
        return running == null ? null : running.loop().machine(CELL);
    }

    /** The view after the last turn, or null if it is dead or not formed. */
    public ReplicaStatus.@Nullable CellView view() {
        return view(CELL);
    }

    /** The same of any cell. */
    public ReplicaStatus.@Nullable CellView view(CellId cell) {
        return running == null ? null : running.loop().status().cell(cell);
    }

    /** All that it hosts, the first one first. */
    public List<CellId> cells() {
        return cells;
    }

    /** Puts a frame before the cell's leader as if it came on a link of its own; the answer reaches nobody. */
    public void command(CellId cell, long stream, ClientFrame frame) {
        UpstreamFrame forward = new UpstreamFrame.Forward(stream, frame);
        offer(new LoopInput.FromUpstream(NO_LINK, new UpstreamFrame.ToCell(cell.value(), forward)));
    }

    @Override
    public String toString() {
        ReplicaLoop loop = loop();
        RaftCore core = loop == null ? null : loop.core(CELL);
        return name + " " + (core == null ? (isAlive() ? "not formed" : "dead") : core.status());
    }

    public boolean isLeader() {
        return isLeader(CELL);
    }

    public boolean isLeader(CellId cell) {
        ReplicaStatus.CellView view = view(cell);
        return view != null && view.role() == RaftOutput.Role.LEADER;
    }

    @Override
    FrontEndHost frontEnd() {
        return java.util.Objects.requireNonNull(running, "dead").frontEnd();
    }

    /** Tells the checks and the coverage what the loop tells operators. */
    private final class Listener implements ReplicaListener {
        @Override
        public void roleChanged(CellId cell, RaftOutput.Role role, long term, @Nullable String leader) {
            if (running != null && cell.equals(CELL)) {
                running.frontEnd().leaderKnown(leader, term);
            } else if (running != null) {
                running.frontEnd().leaderKnown(cell, leader, term);
            }
            told = viewWith(cell, leader, term);
            tellFollowers();
        }

        @Override
        public void serving(CellId cell, long term) {
            world.coverage().seen(Seen.TAKEOVER);
        }

        @Override
        public void commitsStalled(CellId cell, boolean stalled) {
            world.coverage().seen(stalled ? Seen.COMMITS_STALLED : Seen.COMMITS_AGAIN);
        }

        @Override
        public void notice(String message) {
            if (world.tracing()) {
                world.trace(() -> name + " notice: " + message);
            }
        }

        @Override
        public void fatal(Throwable cause) {
            throw new Violation("no fatal error", name + " stops: " + Checks.stack(cause));
        }
    }

    private final class LogFailure implements LogStore.Failure {
        @Override
        public void diskFull(Exception cause) {}

        @Override
        public void roomAgain() {}

        @Override
        public void fatal(Exception cause) {
            throw new Violation("no fatal error", name + "'s log fails: " + Checks.stack(cause));
        }
    }

    private interface DiskWork {
        void run() throws IOException;
    }

    /** Records in the identity file, a little later. */
    private final class Identities implements IdentityStore {
        private final DataDirectory data;

        Identities(DataDirectory data) {
            this.data = data;
        }

        @Override
        public void store(List<ReplicaId> members, Runnable done) {
            submit(() -> record(() -> data.recordFormed(members), done));
        }

        @Override
        public void started(Runnable done) {
            submit(() -> record(data::recordStarted, done));
        }

        private void record(DiskWork work, Runnable done) {
            try {
                work.run();
            } catch (IOException failed) {
                if (disk.isLimited()) {
                    kill(); // as IdentityStore asks: a failure to store ends the process
                    startAgainLater();
                    return;
                }
                throw new Violation("no fatal error", name + " cannot write its identity: " + failed);
            }
            done.run();
        }
    }
}
