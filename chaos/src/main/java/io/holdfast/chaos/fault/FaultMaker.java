package io.holdfast.chaos.fault;

import io.holdfast.chaos.fault.NetworkFaults.NetworkCut;
import io.holdfast.chaos.fault.NetworkFaults.Relaying;
import io.holdfast.chaos.net.Firewall.Cut;
import io.holdfast.chaos.net.Relay;
import io.holdfast.chaos.proc.FakeClock;
import io.holdfast.chaos.proc.LoadProcess;
import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.proc.ReplicaProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** Chooses the targets and the measure of a fault. */
final class FaultMaker {
    private static final long[] SYNC_DELAYS_MILLIS = {50, 500, 4_000};
    private static final long[] CLOCK_STEPS_SECONDS = {-86_400, -3_600, -30, 5, 30, 3_600, 86_400};
    /** Pieces of a stream that are smaller carry no call. */
    private static final int MIN_REQUEST_BYTES = 40;

    private final Arena arena;
    private final SplittableRandom random;

    FaultMaker(Arena arena, SplittableRandom random) {
        this.arena = arena;
        this.random = random;
    }

    Fault make(FaultKind kind) {
        return switch (kind) {
            case KILL_FOLLOWER -> ProcessFaults.killReplicas(List.of(arena.follower(random)));
            case KILL_LEADER -> ProcessFaults.killReplicas(List.of(arena.leaderOr(random)));
            case KILL_SEVERAL -> ProcessFaults.killReplicas(arena.minority(random));
            case KILL_MAJORITY -> ProcessFaults.killReplicas(arena.majority(random));
            case KILL_ALL -> ProcessFaults.killReplicas(arena.replicas());
            case END_LEADER -> new ProcessFaults.End(arena.leaderOr(random));
            case POWER_CUT_ONE ->
                powerCut(List.of(
                        arena.replicas().get(random.nextInt(arena.replicas().size()))));
            case POWER_CUT_ALL -> powerCut(arena.replicas());
            case FREEZE_FOLLOWER -> ProcessFaults.freezeReplicas(List.of(arena.follower(random)));
            case FREEZE_LEADER -> ProcessFaults.freezeReplicas(List.of(arena.leaderOr(random)));
            case FREEZE_SEVERAL -> ProcessFaults.freezeReplicas(arena.minority(random));
            case CLIENT_KILL -> ProcessFaults.killClient(arena.client(random));
            case CLIENT_FREEZE -> ProcessFaults.freezeClient(arena.client(random));
            case SLOW_DISK_FOLLOWER -> slow(List.of(arena.follower(random)));
            case SLOW_DISK_LEADER -> slow(List.of(arena.leaderOr(random)));
            case SLOW_DISK_ALL -> slow(arena.replicas());
            case DISK_FULL_FOLLOWER -> new MachineFaults.FullDisk(arena, List.of(arena.follower(random)));
            case DISK_FULL_LEADER -> new MachineFaults.FullDisk(arena, List.of(arena.leaderOr(random)));
            case DISK_FULL_MAJORITY -> new MachineFaults.FullDisk(arena, arena.majority(random));
            case CLOCK_REPLICAS -> clock(arena.minority(random));
            case CLOCK_CLIENT -> clock(List.of(arena.client(random)));
            default -> network(kind);
        };
    }

    private Fault network(FaultKind kind) {
        return switch (kind) {
            case CUT_FOLLOWER -> isolated(arena.follower(random));
            case CUT_LEADER -> isolated(arena.leaderOr(random));
            case CUT_LEADER_FROM_PEERS -> fromPeers(arena.leaderOr(random));
            case CUT_HEARING -> {
                ReplicaProcess deaf = any();
                yield cut(
                        deaf + " hears nothing",
                        NetworkFaults.oneWay(peers(deaf), List.of(deaf.name())),
                        List.of(deaf.name()));
            }
            case CUT_SPEAKING -> {
                ReplicaProcess mute = any();
                yield cut(
                        mute + " is not heard",
                        NetworkFaults.oneWay(List.of(mute.name()), peers(mute)),
                        List.of(mute.name()));
            }
            case CUT_PAIR -> {
                ReplicaProcess one = arena.leaderOr(random);
                List<String> other = names(arena.others(one, 1, random));
                // Without the other one all that are left reach each other.
                yield cut(one + " and " + other, NetworkFaults.between(List.of(one.name()), other), other);
            }
            case CUT_HALVES -> halves();
            case CUT_FLAPPING -> new NetworkFaults.Flapping(fromPeers(arena.follower(random)));
            case CUT_CLIENT -> client();
            case RELAY_DELAY -> relay(Relay.Behaviour.delay(random.nextLong(20, 1_500)));
            case RELAY_HOLD_REQUESTS -> relay(new Relay.Behaviour(0, true, false, -1, 0));
            case RELAY_HOLD_REPLIES -> relay(new Relay.Behaviour(0, false, true, -1, 0));
            case RELAY_CUT_BEFORE_REPLY ->
                relay(Relay.Behaviour.cutBeforeReply(random.nextLong(5, 300), MIN_REQUEST_BYTES));
            default -> throw new IllegalArgumentException("no such fault: " + kind);
        };
    }

    private ReplicaProcess any() {
        return arena.replicas().get(random.nextInt(arena.replicas().size()));
    }

    private static List<String> names(List<? extends ManagedProcess> processes) {
        return processes.stream().map(ManagedProcess::name).toList();
    }

    private List<String> peers(ReplicaProcess not) {
        List<String> peers = new ArrayList<>(names(arena.replicas()));
        peers.remove(not.name());
        return peers;
    }

    /** @param impaired replicas without which all that are left reach each other */
    private NetworkCut cut(String target, Set<Cut> cuts, List<String> impaired) {
        return new NetworkCut(arena.firewall(), target, cuts, Set.of(), Set.copyOf(impaired));
    }

    private Fault isolated(ReplicaProcess replica) {
        return cut(
                replica + " from all",
                NetworkFaults.between(List.of(replica.name()), NetworkFaults.allBut(arena.topology(), replica.name())),
                List.of(replica.name()));
    }

    /** Clients still reach it. */
    private NetworkCut fromPeers(ReplicaProcess replica) {
        return cut(
                replica + " from its peers",
                NetworkFaults.between(List.of(replica.name()), peers(replica)),
                List.of(replica.name()));
    }

    private Fault halves() {
        List<String> few = names(arena.minority(random));
        List<String> many = new ArrayList<>(names(arena.replicas()));
        many.removeAll(few);
        return cut(few + " from " + many, NetworkFaults.between(few, many), few);
    }

    /** It still reaches the fenced resource, and the replicas through the relays. */
    private Fault client() {
        LoadProcess client = arena.client(random);
        List<String> cutOff = names(arena.replicas());
        Set<Cut> cuts = NetworkFaults.between(List.of(client.name()), cutOff);
        return new NetworkCut(
                arena.firewall(),
                client + " from the replicas",
                cuts,
                Set.of(client + "/direct", client + "/lasting"),
                Set.of());
    }

    private Fault relay(Relay.Behaviour behaviour) {
        boolean all = random.nextBoolean();
        List<Relay> relays = all ? arena.relays() : List.of(oneRelay());
        String words = behaviour.delayMillis() > 0 ? ", " + behaviour.delayMillis() + " ms" : "";
        return new Relaying(relays, behaviour, (all ? "all relays" : "one relay") + words, hit(all));
    }

    /** One that a client uses: what the others do nobody feels. */
    private Relay oneRelay() {
        List<Relay> used = arena.relays().stream().filter(Relay::isUsed).toList();
        List<Relay> choice = used.isEmpty() ? arena.relays() : used;
        return choice.get(random.nextInt(choice.size()));
    }

    /** With one relay that is blocked a session has to move to another; with all of them it cannot. */
    private Set<String> hit(boolean all) {
        Set<String> sessions = new TreeSet<>();
        if (all) {
            arena.topology().clientNames().forEach(client -> sessions.add(client + "/relayed"));
        }
        return sessions;
    }

    private Fault powerCut(List<ReplicaProcess> replicas) {
        long slowMillis = random.nextLong(20, 400);
        return new ProcessFaults.PowerCutFault(
                arena, replicas, slowMillis, random.nextBoolean() ? random.split() : null);
    }

    private Fault slow(List<ReplicaProcess> replicas) {
        return new MachineFaults.SlowDisk(
                arena, replicas, SYNC_DELAYS_MILLIS[random.nextInt(SYNC_DELAYS_MILLIS.length)]);
    }

    private Fault clock(List<? extends ManagedProcess> targets) {
        Map<String, FakeClock> clocks = new TreeMap<>();
        for (ManagedProcess target : targets) {
            FakeClock clock = arena.clocks().get(target.name());
            if (clock != null) {
                clocks.put(target.name(), clock);
            }
        }
        return new MachineFaults.ClockStep(clocks, CLOCK_STEPS_SECONDS[random.nextInt(CLOCK_STEPS_SECONDS.length)]);
    }
}
