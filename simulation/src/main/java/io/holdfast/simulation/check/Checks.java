package io.holdfast.simulation.check;

import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.RaftOutput;
import io.holdfast.raft.ReplicaId;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.RecoveredLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All checks of one run, told by the processes what they did. A broken promise is thrown as a {@link Violation}. */
public final class Checks {
    /** Number under which the shadow's digests are kept. */
    private static final int SHADOW = 99;

    private static final int MAX_REPLICAS = 16;
    private static final int LOOK_AT_ALL_EVERY = 64;
    private static final int INSPECT_EVERY = 200;

    private final World world;
    private final LogBook log;
    private final Holders holders;
    private final RegisterHistories histories;
    private final LeaseModel leases;
    private final ReferenceModel model;
    private final Shadow shadow;
    private final StoppedStreams stoppedStreams;
    private final Promises promises = new Promises();
    private final List<SessionOwner> owners = new ArrayList<>();
    private final long[] applied = new long[MAX_REPLICAS];
    private final long[] committed = new long[MAX_REPLICAS];
    private final long[] leading = new long[MAX_REPLICAS];
    private final int[] identity = new int[MAX_REPLICAS];
    private int identities;
    private long events;
    /** Replaced as a whole, since a watcher may add another. */
    private List<SentWatcher> watchers = List.of();

    /** A client, as far as its session's lease is concerned. */
    public interface SessionOwner {
        /** 0 if there is none. */
        long sessionId();

        /** Whether it would trust its session if it ran now. */
        boolean isSafe();
    }

    public Checks(World world, int voters) {
        this.world = world;
        this.holders = new Holders(world);
        this.histories = new RegisterHistories(world);
        this.leases = new LeaseModel(world, holders);
        this.model = new ReferenceModel(world.coverage(), leases, this::expired);
        this.stoppedStreams = new StoppedStreams(model, world.coverage());
        this.shadow = new Shadow(model);
        this.log = new LogBook(world, voters, this::committed);
        for (int i = 0; i < MAX_REPLICAS; i++) {
            identity[i] = identities++;
        }
    }

    public Holders holders() {
        return holders;
    }

    /** What observers of an election are told. */
    public Leaders leaders(NodePath election) {
        return new Leaders(world, holders, election);
    }

    public RegisterHistories histories() {
        return histories;
    }

    public LeaseModel leases() {
        return leases;
    }

    public ReferenceModel model() {
        return model;
    }

    /** What a read of the newest committed state would find. */
    public Answer present(Query query) {
        return shadow.query(query);
    }

    public StoppedStreams stoppedStreams() {
        return stoppedStreams;
    }

    public LogBook log() {
        return log;
    }

    /** Sees each message as it leaves a replica. */
    @FunctionalInterface
    public interface SentWatcher {
        /** Returns true to see no more. */
        boolean sent(int replica, RaftMessage message);
    }

    public void watch(SentWatcher watcher) {
        List<SentWatcher> more = new ArrayList<>(watchers);
        more.add(watcher);
        watchers = List.copyOf(more);
    }

    public void addOwner(SessionOwner owner) {
        owners.add(owner);
    }

    /** After every event of the world. */
    public void afterEvent() {
        if (++events % LOOK_AT_ALL_EVERY == 0) {
            holders.lookAtAll();
        }
    }

    private void expired(long session) {
        requireNotSafe(session);
        stoppedStreams.expired(session);
    }

    /** R1.2, R3.3: a session may be expired only when its client has stopped believing. */
    private void requireNotSafe(long session) {
        for (SessionOwner owner : owners) {
            if (owner.sessionId() == session && owner.isSafe()) {
                throw new Violation("lease", "session " + session + " was expired while its client was safe");
            }
        }
    }

    // ---- the log

    public void recovered(int replica, RecoveredLog found) {
        applied[replica] = 0;
        leading[replica] = 0;
        log.recovered(replica, identity[replica], found);
        promises.durable(identity[replica], found.hardState());
    }

    /** A replica sends this to another. */
    public void sent(int replica, ReplicaId to, RaftMessage message) {
        for (SentWatcher watcher : watchers) {
            if (watcher.sent(replica, message)) {
                List<SentWatcher> fewer = new ArrayList<>(watchers);
                fewer.remove(watcher);
                watchers = List.copyOf(fewer);
            }
        }
        if (message instanceof RaftMessage.VoteResponse vote && vote.granted()) {
            promises.voted(identity[replica], vote.term(), to);
        } else if (message instanceof RaftMessage.AppendResponse append && append.success()) {
            log.acknowledged(replica, identity[replica], append.term(), append.matchIndex());
        }
    }

    public void requested(int replica, RaftOutput.Persist request) {
        RaftOutput.LogBase base = request.base();
        if (base != null) {
            world.coverage().seen(base.discardTail() ? Seen.SNAPSHOT_INSTALLED : Seen.SNAPSHOT_TAKEN);
        }
        log.requested(replica, request);
    }

    public void durable(int replica, RaftOutput.Persist request) {
        log.durable(identity[replica], request);
        promises.durable(identity[replica], request.hardState());
    }

    /** The replica's disk is gone: what it acknowledges from now on counts as a stranger's. */
    public void wiped(int replica) {
        identity[replica] = identities++;
        applied[replica] = 0;
        leading[replica] = 0;
        log.recovered(
                replica, identity[replica], new RecoveredLog(io.holdfast.raft.HardState.INITIAL, 0, 0, List.of()));
    }

    public void leads(int replica, long term) {
        if (leading[replica] == term) {
            return;
        }
        log.leads(replica, term);
        leading[replica] = term;
        for (int other = 0; other < MAX_REPLICAS; other++) {
            if (other != replica && leading[other] != 0) {
                world.coverage().seen(Seen.TWO_LEADERS_AT_ONCE);
            }
        }
    }

    public void leadsNoMore(int replica) {
        leading[replica] = 0;
    }

    /**
     * How far a replica knows the log to be committed after a turn. In the turn in which it became leader it may have
     * learned that as a follower.
     */
    public void commits(int replica, long term, boolean leads, long commitIndex) {
        if (leads && leading[replica] == term && commitIndex > committed[replica]) {
            log.decided(replica, term, commitIndex);
        }
        committed[replica] = commitIndex;
    }

    /**
     * A replica's loop has made a turn.
     *
     * @param appliedIndex up to where its state machine has come
     * @param digest of that state
     */
    public void turned(int replica, long term, long appliedIndex, long digest) {
        if (appliedIndex != applied[replica]) {
            applied(replica, term, appliedIndex, digest);
        }
        stoppedStreams.turned();
    }

    private void applied(int replica, long term, long appliedIndex, long digest) {
        if (appliedIndex < applied[replica]) {
            throw new Violation(
                    "applied in order",
                    "replica " + replica + " goes back from entry " + applied[replica] + " to " + appliedIndex);
        }
        log.applied(replica, applied[replica] + 1, appliedIndex, term);
        applied[replica] = appliedIndex;
        log.digest(replica, appliedIndex, digest);
        world.observe(EventKind.OBSERVED, replica, appliedIndex);
    }

    private void committed(LogEntry entry) {
        shadow.apply(entry);
        log.digest(SHADOW, entry.index(), shadow.digest());
        if (entry.index() % INSPECT_EVERY == 0) {
            shadow.inspect();
        }
    }

    /** Everything that is too dear for every event. */
    public void atEnd() {
        holders.lookAtAll();
        shadow.inspect();
        histories.check();
    }

    public long applied(int replica) {
        return applied[replica];
    }

    /** A cause with its stack, for messages. */
    public static String stack(Throwable cause) {
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    @Override
    public String toString() {
        return "applied " + Arrays.toString(applied) + " of " + log.committedIndex() + " committed entries";
    }
}
