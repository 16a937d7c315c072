package io.holdfast.cell;

import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.format.BlockReader;
import io.holdfast.cell.format.Decoder;
import io.holdfast.cell.format.MalformedDataException;
import io.holdfast.cell.lease.FreedLeases;
import io.holdfast.cell.lease.LeaseRecord;
import io.holdfast.cell.lease.LeaseTable;
import io.holdfast.cell.node.Node;
import io.holdfast.cell.session.Session;
import io.holdfast.cell.session.SessionTable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads what {@link FrozenCell} wrote. */
final class SnapshotReader {
    /** What a snapshot holds. */
    record Restored(SnapshotHeader header, CellState state) {}

    private SnapshotReader() {}

    /**
     * Reads a snapshot to its end.
     *
     * @throws IOException if it cannot be read, is of another version, or is damaged in a way that shows
     */
    static Restored read(CellLimits limits, InputStream in) throws IOException {
        try {
            return readTrusting(limits, in);
        } catch (MalformedDataException | IllegalStateException e) {
            throw new IOException("cannot restore the snapshot: " + e.getMessage(), e);
        }
    }

    private static Restored readTrusting(CellLimits limits, InputStream in) throws IOException {
        SnapshotHeader.readMagic(in);
        BlockReader blocks = new BlockReader(in);
        Decoder head = blocks.record();
        SnapshotHeader header = SnapshotHeader.decode(head);
        long nodeCount = head.number();
        long sessionCount = head.number();
        boolean hasLeases = !head.atEnd(); // ADR 0018
        long leaseCount = hasLeases ? head.number() : 0;
        long freedCount = hasLeases ? head.number() : 0;
        List<Node> nodes = new ArrayList<>();
        for (long i = 0; i < nodeCount; i++) {
            nodes.add(Node.decode(blocks.record()));
        }
        SessionTable sessions = new SessionTable();
        for (long i = 0; i < sessionCount; i++) {
            sessions.add(Session.decode(blocks.record()));
        }
        LeaseTable leases = leases(blocks, leaseCount, freedCount);
        blocks.end();
        CellState state = CellState.restored(limits, header.revision(), nodes, sessions, leases); // R2.3
        Invariants.check(state.digest() == header.digest(), "a restored state has the digest that it was frozen with");
        return new Restored(header, state);
    }

    private static LeaseTable leases(BlockReader blocks, long leaseCount, long freedCount) throws IOException {
        LeaseTable leases = new LeaseTable();
        for (long i = 0; i < leaseCount; i++) {
            leases.add(LeaseRecord.decode(blocks.record()));
        }
        List<FreedLeases.Freed> freed = new ArrayList<>();
        for (long i = 0; i < freedCount; i++) {
            freed.add(FreedLeases.Freed.decode(blocks.record()));
        }
        leases.restoreFreed(freed);
        return leases;
    }
}
