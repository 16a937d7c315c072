package io.holdfast.replica;

import io.holdfast.raft.ReplicaId;
import java.util.List;

/** What one replica process sends to another. */
public sealed interface PeerFrame {
    /** Who sends. */
    ReplicaId from();

    /**
     * Who I am and whether my cell has been formed; sent until it is, and as an answer to one from an unformed peer (ADR
     * 0002; R8.2, C16).
     *
     * @param deployment the configured deployment name
     * @param members the present members with their incarnations once formed, else empty
     * @param heard members (with incarnations) whose greeting the sender has received so far, itself included. Of an
     *     unformed sender, a list that names every configured member is its durable, irrevocable agreement to form with
     *     exactly these
     */
    record Greeting(ReplicaId from, String deployment, List<ReplicaId> members, List<ReplicaId> heard)
            implements PeerFrame {}

    /**
     * Consensus messages of all cells that had something to say in one turn of the loop: heartbeats of many cells travel
     * together.
     *
     * @param to the receiver drops the frame unless it is exactly this replica, incarnation included
     */
    record Messages(ReplicaId from, ReplicaId to, List<CellMessage> messages) implements PeerFrame {}

    /**
     * How far the sender's replicas are, told about once a second to the leader of their cells; for display only.
     *
     * @param to the receiver drops the frame unless it is exactly this replica, incarnation included
     */
    record Status(ReplicaId from, ReplicaId to, List<CellReport> cells) implements PeerFrame {}
}
