package io.holdfast.chaos.fault;

import io.holdfast.chaos.disk.ReplicaDisk;
import io.holdfast.chaos.proc.FakeClock;
import io.holdfast.chaos.proc.ReplicaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Disks that are slow or full, and wall clocks that jump. */
final class MachineFaults {
    private MachineFaults() {}

    /** Each fsync takes so much longer (C72). */
    record SlowDisk(Arena arena, List<ReplicaProcess> replicas, long delayMillis, Map<String, Long> before)
            implements Fault {
        SlowDisk(Arena arena, List<ReplicaProcess> replicas, long delayMillis) {
            this(arena, replicas, delayMillis, new TreeMap<>());
        }

        @Override
        public String target() {
            return names(replicas) + " by " + delayMillis + " ms";
        }

        /** Slow ones can be done without as long as there are others (C72); if all are slow the cell is slow. */
        @Override
        public Set<String> impaired() {
            return areAllSlow() ? Set.of() : nameSet(replicas);
        }

        @Override
        public long syncDelayMillis() {
            return areAllSlow() ? delayMillis : 0;
        }

        private boolean areAllSlow() {
            return replicas.size() == arena.replicas().size();
        }

        @Override
        public void begin() {
            for (ReplicaProcess replica : replicas) {
                before.put(replica.name(), arena.disk(replica).control().delayedSyncs());
                arena.disk(replica).control().delaySyncs(delayMillis);
            }
        }

        @Override
        public boolean end() {
            boolean delayed = false;
            for (ReplicaProcess replica : replicas) {
                arena.disk(replica).control().delaySyncs(0);
                delayed |= arena.disk(replica).control().delayedSyncs() > before.getOrDefault(replica.name(), 0L);
            }
            return delayed;
        }
    }

    /** No room, then room again (C70). */
    record FullDisk(Arena arena, List<ReplicaProcess> replicas, Map<String, Long> before) implements Fault {
        private static final String SAID = "disk is full";

        FullDisk(Arena arena, List<ReplicaProcess> replicas) {
            this(arena, replicas, new TreeMap<>());
        }

        @Override
        public String target() {
            return names(replicas);
        }

        /** A leader without room hands its lead over (C70). */
        @Override
        public Set<String> impaired() {
            return nameSet(replicas);
        }

        @Override
        public void begin() throws IOException {
            for (ReplicaProcess replica : replicas) {
                before.put(replica.name(), complaints(replica));
                arena.disk(replica).fill();
            }
        }

        @Override
        public boolean end() throws IOException {
            boolean effect = false;
            for (ReplicaProcess replica : replicas) {
                ReplicaDisk disk = arena.disk(replica);
                disk.free();
                effect |= complaints(replica) > before.getOrDefault(replica.name(), 0L);
            }
            return effect;
        }

        private static long complaints(ReplicaProcess replica) throws IOException {
            return Files.readAllLines(replica.log()).stream()
                    .filter(line -> line.contains(SAID))
                    .count();
        }
    }

    /** The wall clock jumps, and at the end jumps back. */
    record ClockStep(Map<String, FakeClock> clocks, long seconds) implements Fault {
        @Override
        public String target() {
            return String.join(", ", clocks.keySet()) + " by " + seconds + " s";
        }

        /** No decision reads the time of day (R1.1). */
        @Override
        public Set<String> impaired() {
            return Set.of();
        }

        @Override
        public void begin() throws IOException {
            for (FakeClock clock : clocks.values()) {
                clock.set(seconds);
            }
        }

        @Override
        public boolean end() throws IOException {
            boolean moved = false;
            for (FakeClock clock : clocks.values()) {
                moved |= Math.abs(clock.offsetSeconds()) > 1;
                clock.set(0);
            }
            return moved;
        }
    }

    private static Set<String> nameSet(List<ReplicaProcess> replicas) {
        return replicas.stream().map(ReplicaProcess::name).collect(Collectors.toSet());
    }

    private static String names(List<ReplicaProcess> replicas) {
        return replicas.stream().map(ReplicaProcess::name).collect(Collectors.joining(", "));
    }
}
