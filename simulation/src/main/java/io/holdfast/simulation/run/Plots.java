package io.holdfast.simulation.run;

import io.holdfast.raft.RaftMessage;
import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.disk.SimLogStore;
import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.process.ClientProcess;
import io.holdfast.simulation.process.SimProcess;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;

/** Sequences of faults that lead to the histories which some rule is there for; chance alone seldom finds them. */
final class Plots {
    private final Cluster cluster;
    private final World world;
    private final Rng rng;
    private final SimNetwork network;
    private final ProcessFaults processFaults;
    private boolean stopped;

    Plots(Cluster cluster, Rng rng, ProcessFaults processFaults) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.rng = rng;
        this.network = cluster.network();
        this.processFaults = processFaults;
    }

    /** Begins a plot; for how long it would rather not be disturbed. */
    long inject(Fault fault) {
        long lease = cluster.config().leaseMillis() * World.MILLI;
        switch (fault) {
            case EXPIRY_RACE -> processFaults.withClient(this::expiryRace);
            case LATE_CONFIRMATION -> processFaults.withClient(this::lateConfirmation);
            case ELECTION_CRASH -> electionCrash();
            case SLOW_ANSWERS -> slowAnswers();
            case WIPE_WHILE_ONE_LAGS -> wipeWhileOneLags();
            case LEAD_THERE_AND_BACK -> leadThereAndBack();
            default -> {}
        }
        return switch (fault) {
            case EXPIRY_RACE -> lease + 2 * World.SECOND;
            case LATE_CONFIRMATION -> 3 * lease;
            case ELECTION_CRASH -> 10 * World.SECOND;
            case SLOW_ANSWERS -> 13 * World.SECOND + lease;
            case WIPE_WHILE_ONE_LAGS -> 5 * World.SECOND;
            case LEAD_THERE_AND_BACK -> 2 * lease;
            default -> 0;
        };
    }

    /** No plot goes on once all is to be healed. */
    void stop() {
        stopped = true;
    }

    private void later(long nanos, Runnable step) {
        world.after(nanos, EventKind.FAULT, 2, () -> {
            if (!stopped) {
                step.run();
            }
        });
    }

    private List<SimReplica> shuffled() {
        List<SimReplica> replicas = new ArrayList<>(cluster.replicas());
        for (int i = replicas.size() - 1; i > 0; i--) {
            int j = rng.below(i + 1);
            SimReplica swapped = replicas.get(i);
            replicas.set(i, replicas.get(j));
            replicas.set(j, swapped);
        }
        return replicas;
    }

    private void breakBothWays(SimProcess a, SimProcess b) {
        network.breakPath(a.hostId(), b.hostId());
        network.breakPath(b.hostId(), a.hostId());
    }

    /** R3.2, R3.5: what is expiring is not renewed, however close the KeepAlive comes. */
    private void expiryRace(SimProcess client) {
        cluster.processes().forEach(other -> {
            if (other != client) {
                breakBothWays(client, other);
            }
        });
        long lease = cluster.config().leaseMillis() * World.MILLI;
        long away = lease * 2 / 3 + rng.below(lease * 4 / 10);
        later(
                away - rng.below(300 * World.MILLI),
                () -> cluster.replicas().forEach(replica -> stall(replica, World.SECOND)));
        later(away, () -> network.healHost(client.hostId()));
    }

    /**
     * R1.2: the later a confirmation comes, the less of the lease is left. If it comes after the KeepAlive was repeated, it still
     * is one of the first.
     */
    private void lateConfirmation(ClientProcess client) {
        boolean afterTheRepeat = rng.chance(0.5);
        long late = afterTheRepeat
                ? silenceNanos() / 2 + rng.below(silenceNanos() * 4 / 10)
                : 100 * World.MILLI + rng.below(850 * World.MILLI);
        cluster.replicas().forEach(replica -> network.slowDown(replica.hostId(), client.hostId(), late));
        long lease = cluster.config().leaseMillis() * World.MILLI;
        long alone = lease / 2 + rng.below(lease / 2);
        if (afterTheRepeat) {
            // the repeat is lost; what is on its way back still comes
            later(
                    alone,
                    () -> cluster.replicas().forEach(replica -> network.breakPath(client.hostId(), replica.hostId())));
        }
        later(afterTheRepeat ? alone + late + 100 * World.MILLI : alone, () -> {
            cluster.processes().forEach(other -> {
                if (other != client) {
                    breakBothWays(client, other);
                }
            });
            if (rng.chance(0.3)) {
                processFaults.sleepBriefly(client); // R1.3
            }
        });
        later(alone + lease * 3 / 2 + late, () -> network.healHost(client.hostId()));
    }

    /** How long a client waits for an answer before it takes its stream for dead; it repeats KeepAlives after half of it. */
    private long silenceNanos() {
        return Math.min(cluster.config().leaseMillis() * World.MILLI / 4, 2_500 * World.MILLI);
    }

    private void stall(SimReplica replica, long nanos) {
        SimLogStore log = replica.log();
        if (log != null) {
            log.stallUntil(world.nowNanos() + nanos);
        }
    }

    /** Thesis figure 3.1: term and vote are durable before they are told, and outlive the process. */
    private void electionCrash() {
        List<SimReplica> order = shuffled();
        SimReplica one = order.get(0);
        SimReplica two = order.get(1);
        List<SimReplica> voters = order.subList(2, cluster.replicas().size() / 2 + 2);
        breakBothWays(one, two);
        for (SimReplica other : order.subList(2 + voters.size(), order.size())) {
            processFaults.killForAWhile(other);
        }
        boolean slowDisk = rng.chance(0.3);
        for (SimReplica voter : voters) {
            network.slowDown(voter.hostId(), two.hostId(), 300 * World.MILLI + rng.below(600 * World.MILLI));
            restart(voter);
            if (slowDisk) {
                later(2 * World.MILLI, () -> stall(voter, 4 * World.SECOND));
            }
        }
        one.pause();
        long end = world.nowNanos() + 10 * World.SECOND;
        watchUntil(end, (replica, message) -> {
            boolean encouraged = replica != two.hostId()
                    && message instanceof RaftMessage.PreVoteResponse response
                    && response.granted();
            if (encouraged) {
                later(World.MILLI, () -> letOneOvertake(one, voters, end));
            }
            return encouraged;
        });
        later(10 * World.SECOND, () -> {
            one.goOn();
            network.heal();
        });
    }

    /** The other is about to stand for the same term: before it asks, this one does and is voted for, and the voters forget. */
    private void letOneOvertake(SimReplica one, List<SimReplica> voters, long endNanos) {
        watchUntil(endNanos, (replica, message) -> {
            boolean told = message instanceof RaftMessage.VoteResponse vote && vote.granted();
            if (told) {
                // whom they voted for must not reach them, or they would be loyal to a leader
                voters.forEach(voter -> {
                    network.breakPath(one.hostId(), voter.hostId());
                    later(World.MILLI + rng.below(100 * World.MILLI), () -> restart(voter));
                });
            }
            return told;
        });
        one.goOn();
    }

    private void watchUntil(long endNanos, Checks.SentWatcher watcher) {
        cluster.checks()
                .watch((replica, message) -> stopped || world.nowNanos() > endNanos || watcher.sent(replica, message));
    }

    private void restart(SimReplica replica) {
        replica.kill();
        later(World.MILLI, replica::start);
    }

    /**
     * R2.6: an answer to a question that was asked before the read came says nothing about the read. Some clients know the old
     * leader only and some the others only; the old one's followers hear its latest question, then nothing of it any more.
     */
    private void slowAnswers() {
        SimReplica leader = cluster.leader();
        if (leader == null) {
            return;
        }
        List<ClientProcess> loyal = new ArrayList<>();
        for (ClientProcess client : cluster.users()) {
            if (rng.chance(0.5)) {
                loyal.add(client);
                separate(client, leader, false);
            } else {
                separate(client, leader, true);
            }
        }
        // step by step: an answer that comes too late all at once would depose the leader
        long step = 300 * World.MILLI;
        // much later, and clients would give their streams up
        long most = silenceNanos() * 6 / 10;
        long steps = most / step + 1;
        for (long i = 1; i <= steps; i++) {
            long extra = Math.min(i * step, most);
            later(i * World.SECOND / 2, () -> slowAnswersTo(leader, extra));
        }
        long silent = (steps / 2 + 3) * World.SECOND;
        later(silent, () -> whenItAsks(leader, world.nowNanos() + 4 * World.SECOND, () -> silence(leader)));
        long lease = cluster.config().leaseMillis() * World.MILLI;
        // the others give every session a full lease when one of them takes over
        later(silent + 7 * World.SECOND + lease, () -> {
            network.healHost(leader.hostId());
            loyal.forEach(client -> network.healHost(client.hostId()));
        });
    }

    /** The others see its connections close, so that they look for another leader soon, and hear nothing of it any more. */
    private void silence(SimReplica leader) {
        leader.closeConnectionsToPeers();
        later(World.MILLI + 3 * cluster.config().network().latencyNanos(), () -> {
            for (SimReplica other : cluster.replicas()) {
                if (other != leader) {
                    network.breakPath(leader.hostId(), other.hostId());
                }
            }
        });
    }

    /** From now on the client hears and is heard by either the leader or the others, not both. */
    private void separate(SimProcess client, SimReplica leader, boolean fromLeader) {
        for (SimReplica replica : cluster.replicas()) {
            if ((replica == leader) == fromLeader) {
                breakBothWays(client, replica);
            }
        }
    }

    /** Shortly after the leader has begun another round of asking, or when the time is up. */
    private void whenItAsks(SimReplica leader, long endNanos, Runnable step) {
        long[] round = {-1};
        boolean[] done = {false};
        Runnable once = () -> {
            if (!done[0]) {
                done[0] = true;
                step.run();
            }
        };
        watchUntil(endNanos, (replica, message) -> {
            if (replica != leader.hostId() || !(message instanceof RaftMessage.AppendRequest append)) {
                return false;
            }
            boolean another = round[0] >= 0 && append.round() > round[0];
            round[0] = append.round();
            if (another) {
                later(20 * World.MILLI, once);
            }
            return another;
        });
        later(endNanos - world.nowNanos(), once);
    }

    private void slowAnswersTo(SimReplica leader, long extra) {
        for (SimReplica other : cluster.replicas()) {
            if (other != leader) {
                network.slowDown(other.hostId(), leader.hostId(), extra);
            }
        }
    }

    /** C16: the wiped one must not help the one that lags to a majority. */
    private void wipeWhileOneLags() {
        SimReplica leader = cluster.leader();
        List<SimReplica> others = shuffled();
        others.remove(leader);
        if (leader == null) {
            return;
        }
        int lagging = cluster.replicas().size() / 2;
        for (SimReplica lag : others.subList(0, lagging)) {
            cluster.processes().forEach(other -> {
                if (other != lag) {
                    breakBothWays(lag, other);
                }
            });
        }
        SimReplica victim = others.get(lagging);
        later(3 * World.SECOND, () -> {
            if (cluster.operator().mayWipe(victim)) {
                victim.kill();
                victim.wipe();
                processFaults.killForAWhile(leader);
                network.heal();
                later(World.MILLI, victim::start);
            } else {
                network.heal();
            }
        });
    }

    /** R2.4: a leader that comes back remembers nothing. */
    private void leadThereAndBack() {
        SimReplica leader = cluster.leader();
        if (leader == null) {
            return;
        }
        SimReplica other = shuffled().get(0);
        leader.transferLeadership(other.name());
        long lease = cluster.config().leaseMillis() * World.MILLI;
        later(lease / 2 + rng.below(lease), () -> other.transferLeadership(leader.name()));
    }
}
