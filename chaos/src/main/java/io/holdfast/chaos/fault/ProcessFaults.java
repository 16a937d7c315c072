package io.holdfast.chaos.fault;

import io.holdfast.chaos.disk.ReplicaDisk;
import io.holdfast.chaos.proc.LoadProcess;
import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.proc.ReplicaProcess;
import io.holdfast.chaos.proc.Shell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Kills, pauses and power cuts. */
final class ProcessFaults {
    private ProcessFaults() {}

    private static String names(List<? extends ManagedProcess> processes) {
        return processes.stream().map(ManagedProcess::name).collect(Collectors.joining(", "));
    }

    /** A client process is none that the cell needs. */
    private static Set<String> replicasAmong(List<? extends ManagedProcess> processes) {
        return processes.stream()
                .filter(ReplicaProcess.class::isInstance)
                .map(ManagedProcess::name)
                .collect(Collectors.toSet());
    }

    /** {@code kill -9}; started again at the end. */
    record Kill(List<? extends ManagedProcess> targets, Set<String> hitSessions) implements Fault {
        @Override
        public String target() {
            return names(targets);
        }

        @Override
        public Set<String> impaired() {
            return replicasAmong(targets);
        }

        @Override
        public void begin() {
            ManagedProcess.killAll(targets);
        }

        @Override
        public boolean end() {
            boolean dead = targets.stream().noneMatch(ManagedProcess::isAlive);
            targets.forEach(ManagedProcess::ensureRunning);
            return dead;
        }
    }

    static Fault killReplicas(List<ReplicaProcess> targets) {
        return new Kill(targets, Set.of());
    }

    static Fault killClient(LoadProcess target) {
        return new Kill(List.of(target), Set.of(target.name() + "/*"));
    }

    /** SIGTERM: it stops in order, and hands the lead over. */
    record End(ReplicaProcess replica) implements Fault {
        @Override
        public String target() {
            return replica.name();
        }

        @Override
        public Set<String> impaired() {
            return Set.of(replica.name());
        }

        @Override
        public void begin() {
            replica.expectDeath();
            Shell.signal("TERM", ManagedProcess.pids(List.of(replica)));
        }

        @Override
        public boolean end() {
            boolean stuck = replica.awaitEnd();
            replica.ensureRunning();
            return !stuck;
        }
    }

    /** SIGSTOP and SIGCONT: its sockets stay open, as in a long pause of its machine. */
    record Freeze(List<? extends ManagedProcess> targets, Set<String> hitSessions) implements Fault {
        @Override
        public String target() {
            return names(targets);
        }

        @Override
        public Set<String> impaired() {
            return replicasAmong(targets);
        }

        @Override
        public void begin() {
            Shell.signal("STOP", ManagedProcess.pids(targets));
        }

        @Override
        public boolean end() {
            boolean frozen = targets.stream().anyMatch(ManagedProcess::isFrozen);
            Shell.signal("CONT", ManagedProcess.pids(targets));
            return frozen;
        }
    }

    static Fault freezeReplicas(List<ReplicaProcess> targets) {
        return new Freeze(targets, Set.of());
    }

    static Fault freezeClient(LoadProcess target) {
        return new Freeze(List.of(target), Set.of(target.name() + "/*"));
    }

    /**
     * All of them lose their power at one moment, with all that was not fsynced. For a while before, fsync is slow, so that
     * there is something to lose: whoever acknowledges before it is found out.
     */
    record PowerCutFault(
            Arena arena,
            List<ReplicaProcess> targets,
            long slowMillis,
            @Nullable SplittableRandom random,
            List<Integer> takenBack)
            implements Fault {
        private static final long SLOW_FOR_MILLIS = 3_000;

        PowerCutFault(Arena arena, List<ReplicaProcess> targets, long slowMillis, @Nullable SplittableRandom random) {
            this(arena, targets, slowMillis, random, new ArrayList<>());
        }

        @Override
        public String target() {
            return names(targets) + (random == null ? ", all that may be lost" : ", some of what may be lost");
        }

        @Override
        public Set<String> impaired() {
            return replicasAmong(targets);
        }

        @Override
        public void begin() throws IOException {
            targets.forEach(target -> disk(target).control().delaySyncs(slowMillis));
            try {
                TimeUnit.MILLISECONDS.sleep(SLOW_FOR_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            ManagedProcess.killAll(targets);
            for (ReplicaProcess target : targets) {
                disk(target).control().delaySyncs(0);
                takenBack.add(disk(target).cutPower(random));
            }
        }

        private ReplicaDisk disk(ReplicaProcess target) {
            return arena.disk(target);
        }

        /** A cut that took nothing back was a mere kill: without its shim a replica has no other. */
        @Override
        public boolean end() {
            targets.forEach(ManagedProcess::ensureRunning);
            return takenBack.stream().anyMatch(changes -> changes > 0);
        }
    }
}
