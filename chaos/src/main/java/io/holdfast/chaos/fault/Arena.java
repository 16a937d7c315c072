package io.holdfast.chaos.fault;

import io.holdfast.chaos.disk.ReplicaDisk;
import io.holdfast.chaos.net.Firewall;
import io.holdfast.chaos.net.Relay;
import io.holdfast.chaos.net.Topology;
import io.holdfast.chaos.proc.FakeClock;
import io.holdfast.chaos.proc.LoadProcess;
import io.holdfast.chaos.proc.ReplicaProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * All that can be attacked.
 *
 * @param disks by replica
 * @param clocks by replica or client process; empty without libfaketime
 * @param leader name of the replica that leads, as far as is known
 */
public record Arena(
        Topology topology,
        List<ReplicaProcess> replicas,
        List<LoadProcess> clients,
        Map<String, ReplicaDisk> disks,
        Map<String, FakeClock> clocks,
        List<Relay> relays,
        Firewall firewall,
        Supplier<Optional<String>> leader) {

    /** The leader, or any if none is known. */
    ReplicaProcess leaderOr(SplittableRandom random) {
        Optional<String> name = leader.get();
        return replicas.stream()
                .filter(replica -> name.isPresent() && replica.name().equals(name.get()))
                .findFirst()
                .orElseGet(() -> replicas.get(random.nextInt(replicas.size())));
    }

    /** So many different replicas but not this one. */
    List<ReplicaProcess> others(ReplicaProcess not, int count, SplittableRandom random) {
        List<ReplicaProcess> left = new ArrayList<>(replicas);
        left.remove(not);
        List<ReplicaProcess> chosen = new ArrayList<>();
        while (chosen.size() < count && !left.isEmpty()) {
            chosen.add(left.remove(random.nextInt(left.size())));
        }
        return chosen;
    }

    ReplicaProcess follower(SplittableRandom random) {
        return replicas.size() == 1
                ? replicas.get(0)
                : others(leaderOr(random), 1, random).get(0);
    }

    LoadProcess client(SplittableRandom random) {
        return clients.get(random.nextInt(clients.size()));
    }

    /** The leader and others, as many as the cell can spare. */
    List<ReplicaProcess> minority(SplittableRandom random) {
        return group(Math.max(1, (replicas.size() - 1) / 2), random);
    }

    /** The leader and others, so that the rest is no majority. */
    List<ReplicaProcess> majority(SplittableRandom random) {
        return group(replicas.size() / 2 + 1, random);
    }

    private List<ReplicaProcess> group(int size, SplittableRandom random) {
        ReplicaProcess leading = leaderOr(random);
        List<ReplicaProcess> group = new ArrayList<>(others(leading, size - 1, random));
        group.add(0, leading);
        return group;
    }

    ReplicaDisk disk(ReplicaProcess replica) {
        ReplicaDisk disk = disks.get(replica.name());
        if (disk == null) {
            throw new IllegalArgumentException(replica + " has no disk");
        }
        return disk;
    }
}
