package io.holdfast.replica;

import io.holdfast.raft.ReplicaId;
import java.util.List;

/**
 * Where a replica durably records with whom it forms its cells; beside its own identity (ADR 0002).
 *
 * <p><b>Thread:</b> the loop calls and is not kept waiting longer than one small file takes; {@code done} may run on any
 * thread, also before {@code store} returns, and must only post to the mailbox. A failure to store ends the process: it
 * is reported to whoever owns the process and {@code done} never runs.
 */
public interface IdentityStore {
    /**
     * Records the members, replacing what was recorded.
     *
     * @param members sorted, with incarnations; without this replica itself if it joined a cell that was formed before
     * @param done runs once they are durable
     */
    void store(List<ReplicaId> members, Runnable done);

    /**
     * Records that the log holds something that this replica is about to answer for: a start with these members and without
     * a log must be refused from now on (C15, C16). Called after {@link #store}, and only once that is durable.
     *
     * @param done runs once it is durable; no vote and no acknowledgement leaves before
     */
    void started(Runnable done);
}
