package io.holdfast.raft;

import static io.holdfast.raft.RaftWorld.MILLI;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Load and faults over a {@link RaftWorld}, drawn from its seed; then everything heals and the cell must go on. */
final class WorldStory {
    private static final long STEP = 20 * MILLI;

    private final RaftWorld world;
    private final Random random;
    private int newcomers;

    WorldStory(long seed, int voters) {
        this.world = new RaftWorld(seed, voters);
        this.random = world.random();
    }

    RaftWorld world() {
        return world;
    }

    void run(long virtualSeconds) {
        long steps = virtualSeconds * 1_000 * MILLI / STEP;
        for (long i = 0; i < steps; i++) {
            load();
            trouble();
            world.runFor(STEP);
        }
        recover();
    }

    private void load() {
        WorldReplica target = random.nextInt(4) == 0 ? anyone() : world.leader();
        if (target == null || !target.isUp()) {
            return;
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            world.propose(target, random.nextInt(60));
        }
        if (random.nextInt(200) == 0) {
            for (int i = 0; i < 40; i++) {
                world.propose(target, 150);
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            world.read(target);
        }
    }

    private void trouble() {
        switch (random.nextInt(60)) {
            case 0 -> crash();
            case 1, 2 -> restart();
            case 3 -> freeze();
            case 4 -> partition();
            case 5, 6 -> world.heal();
            case 7 -> slowDisk();
            case 8, 9, 10 -> snapshot();
            case 11 -> transfer();
            case 12, 13, 14, 15 -> change();
            default -> {}
        }
    }

    private WorldReplica anyone() {
        List<WorldReplica> all = world.replicas();
        return all.get(random.nextInt(all.size()));
    }

    private void crash() {
        WorldReplica leader = world.leader();
        WorldReplica victim = leader != null && random.nextInt(3) == 0 ? leader : anyone();
        if (random.nextInt(10) == 0) {
            world.counters().add("crash all");
            world.replicas().stream().filter(WorldReplica::isUp).forEach(world::crash);
        } else if (victim.isUp()) {
            world.crash(victim);
        }
    }

    private void restart() {
        for (WorldReplica replica : world.replicas()) {
            if (!replica.isUp() && random.nextInt(3) > 0) {
                world.start(replica);
            }
        }
    }

    private void freeze() {
        WorldReplica leader = world.leader();
        WorldReplica victim = leader != null && random.nextBoolean() ? leader : anyone();
        if (victim.isUp() && !victim.isFrozen()) {
            world.freeze(victim);
            world.after(random.nextInt(1_500) * MILLI, () -> world.thaw(victim));
        }
    }

    private void partition() {
        List<WorldReplica> all = world.replicas();
        boolean oneWay = random.nextInt(3) == 0;
        world.counters().add(oneWay ? "partition one way" : "partition");
        int mask = random.nextInt(1 << all.size());
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < all.size(); j++) {
                boolean apart = ((mask >> i) & 1) == 1 && ((mask >> j) & 1) == 0;
                if (apart) {
                    world.cut(all.get(i).id(), all.get(j).id());
                    if (!oneWay) {
                        world.cut(all.get(j).id(), all.get(i).id());
                    }
                }
            }
        }
    }

    private void slowDisk() {
        WorldReplica leader = world.leader();
        WorldReplica victim = leader != null && random.nextInt(3) == 0 ? leader : anyone();
        world.counters().add("slow disk");
        victim.slowDisk(random.nextInt(1_500) * MILLI);
        world.after(2_000 * MILLI, () -> victim.slowDisk(0));
    }

    private void snapshot() {
        WorldReplica replica = anyone();
        if (replica.isUp() && !replica.isFrozen()) {
            world.snapshot(replica);
        }
    }

    private void transfer() {
        WorldReplica leader = world.leader();
        if (leader != null) {
            world.counters().add("transfer asked");
            world.step(leader, new RaftInput.TransferLeadership(anyone().id()));
        }
    }

    private void change() {
        WorldReplica leader = world.leader();
        if (leader == null) {
            return;
        }
        Membership membership = leader.core().status().membership();
        if (!membership.learners().isEmpty() && random.nextBoolean()) {
            world.change(
                    leader, new MembershipChange.Promote(membership.learners().first()));
        } else if (membership.voters().size() + membership.learners().size() < 6 && newcomers < 12) {
            ReplicaId id = new ReplicaId("n" + ++newcomers);
            world.addStranger(id);
            world.change(leader, new MembershipChange.AddLearner(id));
        } else if (membership.voters().size() > 3) {
            world.change(leader, new MembershipChange.Remove(anyone().id()));
        }
    }

    /** Everything heals: soon there is a leader, it commits, and all members end with the same state. */
    private void recover() {
        world.calm();
        world.runFor(8_000 * MILLI);
        WorldReplica leader = settledLeader();
        long before = world.checks().highestCommitted();
        long readsBefore = world.counters().of("read confirmed");
        world.propose(leader, 10);
        world.read(leader);
        world.runFor(3_000 * MILLI);
        SafetyChecks.require(world.checks().highestCommitted() > before, "nothing commits after everything healed");
        SafetyChecks.require(world.counters().of("read confirmed") > readsBefore, "no read is confirmed");
        RaftStatus status = settledLeader().core().status();
        for (WorldReplica replica : world.replicas()) {
            if (status.membership().contains(replica.id())) {
                long applied = replica.machine().appliedIndex();
                SafetyChecks.require(
                        applied == status.commitIndex(),
                        replica.id() + " applied " + applied + " of " + status.commitIndex());
                SafetyChecks.require(
                        replica.core().status().membership().equals(status.membership()),
                        replica.id() + " believes in another membership");
            }
        }
    }

    private WorldReplica settledLeader() {
        @Nullable WorldReplica leader = world.leader();
        if (leader == null) {
            throw new AssertionError("no leader after everything healed");
        }
        return leader;
    }
}
