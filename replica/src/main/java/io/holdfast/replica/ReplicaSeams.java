package io.holdfast.replica;

import io.holdfast.raft.RandomSource;
import io.holdfast.storage.LogStore;
import java.util.function.LongSupplier;

/**
 * What a replica loop needs from outside; each has one real and one simulated form.
 *
 * @param wallMillis the time of day, for display only (R1.1)
 */
public record ReplicaSeams(
        LogStore log,
        IdentityStore identity,
        PeerTransport peers,
        UpstreamSink upstream,
        Worker worker,
        RandomSource random,
        ReplicaListener listener,
        LongSupplier wallMillis) {}
