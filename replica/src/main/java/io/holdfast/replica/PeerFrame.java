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
     * @param shards how many shards the sender's deployment has (R7.4)
     */
    record Greeting(ReplicaId from, String deployment, List<ReplicaId> members, List<ReplicaId> heard, int shards)
            implements PeerFrame {
        /** Without shards. */
        public Greeting(ReplicaId from, String deployment, List<ReplicaId> members, List<ReplicaId> heard) {
            this(from, deployment, members, heard, 0);
        }
    }

    /**
     * Consensus messages of all cells that had something to say in one turn of the loop: heartbeats of many cells travel
     * together.
     *
     * @param to the receiver drops the frame unless it is exactly this replica, incarnation included
     * @param shards how many shards the sender's deployment has; what is for a shard is dropped if the receiver counts otherwise
     *     (R7.4, ADR 0015)
     */
    record Messages(ReplicaId from, ReplicaId to, List<CellMessage> messages, int shards) implements PeerFrame {
        /** Without shards. */
        public Messages(ReplicaId from, ReplicaId to, List<CellMessage> messages) {
            this(from, to, messages, 0);
        }
    }

    /**
     * How far the sender's replicas are, told about once a second to the leader of their cells; for display, and for where leads
     * are better handed to.
     *
     * @param to the receiver drops the frame unless it is exactly this replica, incarnation included
     * @param refusesLeads the sender wants no lead: it is about to end, or its disk is full
     */
    record Status(ReplicaId from, ReplicaId to, List<CellReport> cells, boolean refusesLeads) implements PeerFrame {
        /** Of one that takes leads. */
        public Status(ReplicaId from, ReplicaId to, List<CellReport> cells) {
            this(from, to, cells, false);
        }
    }
}
