package io.holdfast.raft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One replica of a {@link GoldenCell}: a core, a disk that confirms at once unless held, and a state machine. */
final class GoldenReplica {
    private final ReplicaId id;
    private final RaftCore core;
    private WorldMachine machine;
    private final Membership initial;
    private final List<RaftInput> held = new ArrayList<>();
    private boolean diskHeld;
    private WorldDisk.StoredSnapshot snapshot;
    private byte[] incoming = {};

    GoldenReplica(ReplicaId id, Membership initial, int number, long now) {
        this.id = id;
        this.initial = initial;
        this.machine = new WorldMachine(initial);
        this.snapshot = machine.snapshot();
        // Timeouts in the order of the replicas, so that a script can say who times out first.
        RandomSource order = bound -> bound * number / 20;
        this.core = new RaftCore(
                id, TestCore.CONFIG, order, new RestoredState(HardState.INITIAL, null, initial, 0, 0, List.of()), now);
    }

    ReplicaId id() {
        return id;
    }

    RaftCore core() {
        return core;
    }

    void holdDisk(boolean on) {
        diskHeld = on;
        if (!on) {
            for (RaftInput input : held) {
                core.step(input, Long.MIN_VALUE);
            }
            held.clear();
        }
    }

    RaftInput takeSnapshot() {
        snapshot = machine.snapshot();
        return new RaftInput.SnapshotTaken(snapshot.meta(), snapshot.meta().index());
    }

    /** Does what the output says; the answers go back into the core. */
    List<RaftInput> carryOut(RaftOutput output) {
        List<RaftInput> answers = new ArrayList<>();
        if (output.persist() != null) {
            (diskHeld ? held : answers)
                    .add(new RaftInput.Persisted(output.persist().sequence()));
        }
        output.committed().forEach(machine::apply);
        for (RaftOutput.ReadChunk request : output.readChunks()) {
            int from = (int) request.offset();
            int to = Math.min(snapshot.data().length, from + 32);
            byte[] data = Arrays.copyOfRange(snapshot.data(), from, to);
            answers.add(
                    new RaftInput.ChunkRead(request.peer(), request.meta(), from, data, to == snapshot.data().length));
        }
        for (RaftOutput.WriteChunk request : output.writeChunks()) {
            answers.add(write(request));
        }
        return answers;
    }

    private RaftInput write(RaftOutput.WriteChunk request) {
        int offset = (int) request.offset();
        incoming = Arrays.copyOf(incoming, offset + request.data().length);
        System.arraycopy(request.data(), 0, incoming, offset, request.data().length);
        if (!request.last()) {
            return new RaftInput.ChunkWritten(request.meta(), incoming.length);
        }
        machine = new WorldMachine(initial);
        snapshot = new WorldDisk.StoredSnapshot(request.meta(), incoming);
        machine.restore(snapshot);
        return new RaftInput.SnapshotInstalled(request.meta());
    }
}
