package io.holdfast.replica;

import io.holdfast.model.Shards;
import io.holdfast.raft.ReplicaId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Some replicas on one virtual clock and a network that delivers at once, in order, unless told otherwise. */
final class TestCluster {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1_000 * MILLI;

    private record InFlight(String from, String to, PeerFrame frame) {}

    final List<TestReplica> replicas = new ArrayList<>();
    final Set<String> isolated = new TreeSet<>();
    final List<PeerFrame> frames = new ArrayList<>();
    private final ArrayDeque<InFlight> network = new ArrayDeque<>();
    private final List<String> names = new ArrayList<>();
    private final SnapshotPolicy policy;
    /** Which frames are lost. */
    Predicate<PeerFrame> lost = frame -> false;
    /** Frames wait while true. */
    boolean networkHeld;

    long now = 1_000 * SECOND;

    TestCluster(int size, SnapshotPolicy policy) {
        this.policy = policy;
        for (int i = 1; i <= size; i++) {
            names.add("r" + i);
        }
        for (String name : names) {
            replicas.add(make(name, "a"));
        }
    }

    /** Each hosts so many shards beside the first cell. */
    static TestCluster withShards(int size, int shards, SnapshotPolicy policy) {
        TestCluster cluster = new TestCluster(size, policy);
        for (TestReplica replica : cluster.replicas) {
            new Shards(shards).cellNames().forEach(name -> replica.shards.put(name, new MemorySnapshots()));
            replica.start();
        }
        return cluster;
    }

    static TestCluster started(int size) {
        TestCluster cluster = new TestCluster(size, SnapshotPolicy.defaults());
        cluster.replicas.forEach(TestReplica::start);
        return cluster;
    }

    TestReplica make(String name, String incarnation) {
        ReplicaId id = new ReplicaId(name + "@" + incarnation);
        return new TestReplica(id, names, policy, this::send, name.hashCode() * 31L + incarnation.hashCode());
    }

    private void send(TestReplica from, String to, PeerFrame frame) {
        frames.add(frame);
        network.add(new InFlight(from.name(), to, frame));
    }

    TestReplica get(String name) {
        return replicas.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    void replace(TestReplica replica) {
        replicas.removeIf(one -> one.name().equals(replica.name()));
        replicas.add(replica);
    }

    /** Everything that happens without time passing. */
    void settle() {
        boolean again = true;
        for (int i = 0; again; i++) {
            if (i > 10_000) {
                throw new AssertionError("the cluster does not come to rest");
            }
            again = false;
            for (TestReplica replica : replicas) {
                if (replica.isUp()) {
                    again |= replica.turn(now);
                }
            }
            again |= deliver();
        }
    }

    private boolean deliver() {
        if (networkHeld) {
            return false;
        }
        boolean delivered = !network.isEmpty();
        for (InFlight next = network.poll(); next != null; next = network.poll()) {
            String to = next.to();
            if (isolated.contains(next.from()) || isolated.contains(to) || lost.test(next.frame())) {
                continue;
            }
            for (TestReplica replica : replicas) {
                if (replica.name().equals(to) && replica.isUp()) {
                    replica.loop.offer(new LoopInput.FromPeer(next.frame()));
                }
            }
        }
        return delivered;
    }

    /** Lets time pass in the steps that the loops ask for. */
    void runFor(long nanos) {
        long end = now + nanos;
        settle();
        while (now < end) {
            long next = end;
            for (TestReplica replica : replicas) {
                if (replica.isUp()) {
                    next = Math.min(next, replica.loop.nextDeadlineNanos());
                }
            }
            now = Math.max(now + 1, next);
            settle();
        }
    }

    void runUntil(BooleanSupplier condition) {
        for (int i = 0; i < 2_000; i++) {
            settle();
            if (condition.getAsBoolean()) {
                return;
            }
            runFor(10 * MILLI);
        }
        throw new AssertionError("did not happen within 20 s of virtual time");
    }

    /** One that was elected, waiting for it; it may not have taken over yet. */
    TestReplica elected() {
        List<TestReplica> leads = new ArrayList<>();
        runUntil(() -> {
            replicas.stream()
                    .filter(one -> one.isUp()
                            && one.loop.core(TestReplica.CELL).status().isLeader())
                    .forEach(leads::add);
            return !leads.isEmpty();
        });
        return leads.get(0);
    }

    /** The one replica that serves, waiting for it. */
    TestReplica leader() {
        runUntil(() -> serving() != null);
        return serving();
    }

    TestReplica serving() {
        TestReplica found = null;
        for (TestReplica replica : replicas) {
            if (replica.isServing() && !isolated.contains(replica.name())) {
                found = replica;
            }
        }
        return found;
    }

    void crash(TestReplica replica) {
        replica.crash();
        network.removeIf(one -> one.from().equals(replica.name()));
    }
}
