package io.holdfast.cell;

import io.holdfast.cell.base.PersistentMap;
import io.holdfast.cell.format.BlockWriter;
import io.holdfast.cell.format.Encoder;
import io.holdfast.cell.lease.FreedLeases;
import io.holdfast.cell.lease.LeaseRecord;
import io.holdfast.cell.lease.LeaseTable;
import io.holdfast.cell.node.Node;
import io.holdfast.cell.session.Session;
import io.holdfast.model.LeaseName;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A cell's state at one log position, for ever. Made in O(1): it shares the immutable maps of the state.
 *
 * <p>What derives from nodes and sessions (queues, who holds, what a session owns) is not written; restoring builds it
 * anew.
 *
 * <p><b>Thread:</b> any.
 */
public final class FrozenCell {
    private final SnapshotHeader header;
    private final PersistentMap<NodePath, Node> nodes;
    private final PersistentMap<SessionId, Session> sessions;

    private final PersistentMap<LeaseName, LeaseRecord> leases;
    private final PersistentMap<Integer, long[]> freedLeases;
    private final int freedCount;

    FrozenCell(
            SnapshotHeader header,
            PersistentMap<NodePath, Node> nodes,
            PersistentMap<SessionId, Session> sessions,
            LeaseTable leases) {
        this.header = header;
        this.nodes = nodes;
        this.sessions = sessions;
        this.leases = leases.frozen();
        this.freedLeases = leases.freed().frozen();
        this.freedCount = leases.freedCount();
    }

    /** The last log entry that the state contains. */
    public long appliedIndex() {
        return header.appliedIndex();
    }

    /** The term of that entry. */
    public long appliedTerm() {
        return header.appliedTerm();
    }

    public long revision() {
        return header.revision();
    }

    /** As {@link CellStateMachine#digest()} was. */
    public long digest() {
        return header.digest();
    }

    /**
     * Writes the snapshot, in blocks of about 64 KB. Two states that are equal give the same bytes. A checksum is the
     * store's business. Does not close or flush {@code out}.
     */
    public void writeTo(OutputStream out) throws IOException {
        SnapshotHeader.writeMagic(out);
        BlockWriter blocks = new BlockWriter(out);
        header.encode(blocks.record());
        Encoder counts = blocks.record().number(nodes.size()).number(sessions.size());
        if (!leases.isEmpty() || freedCount > 0) {
            counts.number(leases.size()).number(freedCount); // ADR 0018: no snapshot written before has them
        }
        blocks.endBlock();
        for (PersistentMap.Entry<NodePath, Node> entry : nodes) {
            Encoder record = blocks.record();
            entry.value().encode(record);
            blocks.endRecord();
        }
        for (PersistentMap.Entry<SessionId, Session> entry : sessions) {
            Encoder record = blocks.record();
            entry.value().encode(record);
            blocks.endRecord();
        }
        for (PersistentMap.Entry<LeaseName, LeaseRecord> entry : leases) {
            Encoder record = blocks.record();
            entry.value().encode(record);
            blocks.endRecord();
        }
        for (PersistentMap.Entry<Integer, long[]> bucket : freedLeases) {
            FreedLeases.each(bucket.value(), freed -> freed.encode(blocks.record()));
            blocks.endRecord();
        }
        blocks.end();
    }
}
