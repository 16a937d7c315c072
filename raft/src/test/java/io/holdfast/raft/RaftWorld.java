package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.Envelope;
import io.holdfast.raft.RaftOutput.ReadChunk;
import io.holdfast.raft.RaftOutput.Role;
import io.holdfast.raft.RaftOutput.WriteChunk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A whole cell in one thread on virtual time: real cores, a network that drops, repeats and reorders, disks that are slow
 * and lose what was not confirmed. The seed decides everything; {@link SafetyChecks} looks after every event.
 */
final class RaftWorld {
    static final long MILLI = 1_000_000L;
    static final RaftConfig CONFIG =
            new RaftConfig(50 * MILLI, 300 * MILLI, 600 * MILLI, 60 * MILLI, 4_000, 200, 4, 16);

    private record Event(long at, long order, Runnable action) {}

    private final Random random;
    private final SafetyChecks checks = new SafetyChecks();
    private final WorldCounters counters = new WorldCounters();
    private final TreeMap<ReplicaId, WorldReplica> replicas = new TreeMap<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.at() != b.at() ? Long.compare(a.at(), b.at()) : Long.compare(a.order(), b.order()));
    /** Links that lose everything: "from>to". */
    private final TreeSet<String> cut = new TreeSet<>();

    private final Membership initial;
    private long now = 1_000 * MILLI;
    private long order;
    private long nextTag = 1;
    private long traceHash;
    private boolean faulty = true;

    RaftWorld(long seed, int voters) {
        random = new Random(seed);
        List<ReplicaId> ids = new ArrayList<>();
        for (int i = 1; i <= voters; i++) {
            ids.add(new ReplicaId("r" + i));
        }
        initial = Membership.ofVoters(ids);
        ids.forEach(id -> start(addReplica(id)));
    }

    private WorldReplica addReplica(ReplicaId id) {
        WorldReplica replica = new WorldReplica(id, initial);
        replicas.put(id, replica);
        return replica;
    }

    /** A process with an empty disk that nobody has made a member yet. */
    WorldReplica addStranger(ReplicaId id) {
        WorldReplica replica = addReplica(id);
        start(replica);
        return replica;
    }

    // ---- looking

    Random random() {
        return random;
    }

    WorldCounters counters() {
        return counters;
    }

    SafetyChecks checks() {
        return checks;
    }

    List<WorldReplica> replicas() {
        return new ArrayList<>(replicas.values());
    }

    WorldReplica replica(String id) {
        WorldReplica replica = replicas.get(new ReplicaId(id));
        if (replica == null) {
            throw new AssertionError("no replica " + id);
        }
        return replica;
    }

    long now() {
        return now;
    }

    long traceHash() {
        return traceHash;
    }

    /** The leader of the highest term that is up, or null. */
    @Nullable
    WorldReplica leader() {
        WorldReplica best = null;
        for (WorldReplica replica : replicas.values()) {
            if (replica.isUp() && replica.core().status().isLeader()) {
                if (best == null
                        || replica.core().status().term() > best.core().status().term()) {
                    best = replica;
                }
            }
        }
        return best;
    }

    // ---- time

    void runFor(long nanos) {
        long end = now + nanos;
        for (Event next = events.peek(); next != null && next.at() <= end; next = events.peek()) {
            events.remove();
            now = next.at();
            next.action().run();
        }
        now = end;
    }

    void after(long nanos, Runnable action) {
        events.add(new Event(now + nanos, order++, action));
    }

    private void afterInLife(WorldReplica replica, long nanos, Runnable action) {
        int life = replica.life();
        after(nanos, () -> {
            if (replica.isUp() && replica.life() == life) {
                action.run();
            }
        });
    }

    // ---- faults

    void calm() {
        faulty = false;
        cut.clear();
        for (WorldReplica replica : replicas.values()) {
            replica.slowDisk(0);
            if (!replica.isUp()) {
                start(replica);
            } else if (replica.isFrozen()) {
                thaw(replica);
            }
        }
    }

    void faulty(boolean on) {
        faulty = on;
    }

    void cut(ReplicaId from, ReplicaId to) {
        cut.add(from + ">" + to);
    }

    void isolate(ReplicaId id) {
        for (ReplicaId other : replicas.keySet()) {
            cut(id, other);
            cut(other, id);
        }
    }

    void heal() {
        cut.clear();
    }

    boolean isCut(ReplicaId from, ReplicaId to) {
        return cut.contains(from + ">" + to);
    }

    void start(WorldReplica replica) {
        RandomSource source = bound -> Math.floorMod(random.nextLong(), bound);
        replica.start(CONFIG, source, now);
        counters.add("start");
        pump(replica);
    }

    void crash(WorldReplica replica) {
        counters.add(replica.core().status().isLeader() ? "crash leader" : "crash follower");
        if (replica.disk().hasPending()) {
            counters.add("crash loses writes");
        }
        if (replica.isInstalling()) {
            counters.add("crash while installing");
        }
        replica.disk().crash(random);
        replica.stop();
        for (WorldReplica other : replicas.values()) {
            if (other.isUp() && random.nextInt(4) > 0) {
                afterInLife(other, delay(), () -> step(other, new RaftInput.PeerDisconnected(replica.id())));
            }
        }
    }

    void freeze(WorldReplica replica) {
        counters.add(replica.core().status().isLeader() ? "freeze leader" : "freeze follower");
        replica.freeze(true);
    }

    void thaw(WorldReplica replica) {
        replica.freeze(false);
        while (replica.isUp() && !replica.mailbox().isEmpty()) {
            step(replica, replica.mailbox().remove());
        }
        if (replica.isUp()) {
            pump(replica);
        }
    }

    // ---- requests

    void propose(WorldReplica replica, int sizeBytes) {
        byte[] data = new byte[sizeBytes];
        random.nextBytes(data);
        step(replica, new RaftInput.Propose(nextTag++, data));
    }

    void read(WorldReplica replica) {
        long tag = nextTag++;
        checks.readIssued(tag);
        step(replica, new RaftInput.ReadIndex(tag));
    }

    void change(WorldReplica replica, MembershipChange change) {
        step(replica, new RaftInput.ProposeMembership(nextTag++, change));
    }

    void snapshot(WorldReplica replica) {
        WorldDisk.StoredSnapshot taken = replica.machine().snapshot();
        if (taken.meta().index() == 0 || replica.isInstalling()) {
            return;
        }
        afterInLife(replica, delay(), () -> {
            replica.disk().storeSnapshot(taken);
            counters.add("snapshot");
            long compactTo = Math.max(0, taken.meta().index() - random.nextInt(4));
            step(replica, new RaftInput.SnapshotTaken(taken.meta(), compactTo));
        });
    }

    // ---- the driver

    void step(WorldReplica replica, RaftInput input) {
        if (!replica.isUp()) {
            return;
        }
        if (replica.isFrozen()) {
            replica.mailbox().add(input);
            return;
        }
        traceHash = traceHash * 31 + input.getClass().getSimpleName().hashCode() + now;
        replica.core().step(input, now);
        RaftStatus status = replica.core().status();
        if (status.isLeader()) {
            checks.leads(replica, status);
        }
        if (replica.logEndChanged(status)) {
            checks.logsMatch(replica, replicas.values());
        }
        if (random.nextInt(4) > 0) {
            pump(replica);
        } else {
            counters.add("batched inputs");
            afterInLife(replica, random.nextInt(2) * MILLI, () -> pump(replica));
        }
    }

    private void pump(WorldReplica replica) {
        while (replica.isUp() && !replica.isFrozen() && replica.core().hasOutput()) {
            carryOut(replica, replica.core().takeOutput());
        }
        if (replica.isUp() && !replica.isFrozen()) {
            scheduleTick(replica);
        }
    }

    private void scheduleTick(WorldReplica replica) {
        long at = Math.max(now, replica.core().nextDeadlineNanos());
        if (at < replica.tickAtNanos() && at < now + 60_000 * MILLI) {
            replica.tickAt(at);
            afterInLife(replica, at - now, () -> tick(replica));
        }
    }

    private void tick(WorldReplica replica) {
        replica.tickAt(Long.MAX_VALUE);
        if (replica.isFrozen()) {
            return;
        }
        if (now >= replica.core().nextDeadlineNanos()) {
            step(replica, new RaftInput.Tick());
        } else {
            scheduleTick(replica);
        }
    }

    private void carryOut(WorldReplica replica, RaftOutput output) {
        if (output.persist() != null) {
            replica.disk().submit(output.persist());
            afterInLife(replica, replica.diskDelayNanos() + delay(), () -> complete(replica));
        }
        for (Envelope envelope : output.messages()) {
            checks.sent(replica, envelope.to(), envelope.message());
            counters.sent(envelope.message());
            transmit(replica.id(), envelope);
        }
        for (LogEntry entry : output.committed()) {
            SafetyChecks.require(!replica.isInstalling(), "entry emitted while a snapshot is being installed");
            checks.emitted(replica, entry);
            replica.machine().apply(entry);
            checks.applied(replica);
            counters.add("applied");
        }
        output.proposed().forEach(proposed -> counters.add("proposed"));
        output.refused().forEach(refused -> counters.add("refused " + refused.reason()));
        output.reads().forEach(read -> {
            checks.readConfirmed(read.tag(), read.index());
            counters.add("read confirmed");
        });
        output.readChunks().forEach(request -> afterInLife(replica, delay(), () -> readChunk(replica, request)));
        output.writeChunks().forEach(request -> writeChunk(replica, request));
        if (output.roleChange() != null) {
            counters.add("role " + output.roleChange().role());
            if (output.roleChange().role() == Role.LEADER) {
                checks.leads(replica, replica.core().status());
            }
        }
    }

    private void complete(WorldReplica replica) {
        step(replica, new RaftInput.Persisted(replica.disk().completeOldest()));
    }

    private void readChunk(WorldReplica replica, ReadChunk request) {
        WorldDisk.StoredSnapshot snapshot = replica.disk().snapshot();
        boolean gone = snapshot == null || !snapshot.meta().equals(request.meta());
        if (gone || (faulty && random.nextInt(50) == 0)) {
            counters.add("chunk unavailable");
            step(replica, new RaftInput.ChunkUnavailable(request.peer(), request.meta()));
            return;
        }
        int from = (int) request.offset();
        int to = Math.min(snapshot.data().length, from + CONFIG.snapshotChunkBytes());
        byte[] data = Arrays.copyOfRange(snapshot.data(), from, to);
        boolean last = to == snapshot.data().length;
        step(replica, new RaftInput.ChunkRead(request.peer(), request.meta(), from, data, last));
    }

    private void writeChunk(WorldReplica replica, WriteChunk request) {
        if (request.offset() == 0) {
            replica.incoming().reset();
        }
        boolean unusable = request.offset() != replica.incoming().size();
        SafetyChecks.require(!unusable, "a piece at " + request.offset() + " that does not follow the one before");
        replica.incoming().writeBytes(request.data());
        replica.installing(request.last());
        boolean fails = faulty && random.nextInt(20) == 0;
        if (faulty && request.last() && random.nextInt(15) == 0) {
            afterInLife(replica, 1, () -> crash(replica));
        }
        afterInLife(replica, replica.diskDelayNanos() + delay(), () -> chunkWritten(replica, request, fails));
    }

    private void chunkWritten(WorldReplica replica, WriteChunk request, boolean fails) {
        if (fails) {
            counters.add("chunk write failed");
            replica.installing(false);
            step(replica, new RaftInput.ChunkWritten(request.meta(), 0));
        } else if (request.last()) {
            WorldDisk.StoredSnapshot snapshot = new WorldDisk.StoredSnapshot(
                    request.meta(), replica.incoming().toByteArray());
            SafetyChecks.require(request.meta().index() > replica.machine().appliedIndex(), "state machine goes back");
            replica.disk().storeSnapshot(snapshot);
            replica.machine().restore(snapshot);
            checks.applied(replica);
            replica.installing(false);
            counters.add("snapshot installed");
            step(replica, new RaftInput.SnapshotInstalled(request.meta()));
        } else {
            step(
                    replica,
                    new RaftInput.ChunkWritten(
                            request.meta(), replica.incoming().size()));
        }
    }

    // ---- the network

    private void transmit(ReplicaId from, Envelope envelope) {
        if (faulty && random.nextInt(30) == 0) {
            counters.add("message dropped");
            return;
        }
        deliverLater(from, envelope);
        if (faulty && random.nextInt(30) == 0) {
            counters.add("message repeated");
            deliverLater(from, envelope);
        }
    }

    private void deliverLater(ReplicaId from, Envelope envelope) {
        long delay = delay();
        if (faulty && random.nextInt(50) == 0) {
            counters.add("message late");
            delay += random.nextInt(1_000) * MILLI;
        }
        after(delay, () -> {
            WorldReplica to = replicas.get(envelope.to());
            if (isCut(from, envelope.to())) {
                counters.add("message cut off");
            } else if (to != null) {
                step(to, new RaftInput.Received(from, envelope.message()));
            }
        });
    }

    private long delay() {
        return MILLI / 2 + random.nextInt(6_000_000);
    }
}
