package io.holdfast.server.config;

import io.holdfast.model.Limits;
import io.holdfast.model.Shards;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The checked configuration of one replica.
 *
 * @param naming who this replica is
 * @param dataDir its data; owned by this replica alone
 * @param members every replica of the deployment with its peer address, this one included
 * @param shards number of cells for the leased locks, 0 for none; fixed when the deployment is formed
 */
public record ReplicaConfig(
        Naming naming,
        Path dataDir,
        Listen listen,
        SortedMap<String, HostPort> members,
        int shards,
        RaftTimes raft,
        SessionTimes session) {
    /** The largest member list that a deployment can be formed with. */
    public static final int MAX_MEMBERS = 7;

    public static final int DEFAULT_SHARDS = Shards.DEFAULT_COUNT;
    public static final int MAX_SHARDS = Shards.MAX_COUNT;
    public static final int DEFAULT_CLIENT_PORT = 7420;
    public static final int DEFAULT_HTTP_PORT = 7421;
    public static final int DEFAULT_PEER_PORT = 7422;

    public ReplicaConfig {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    /** Keys that were given another value than their default and have no effect yet; a server says so when it starts. */
    public List<ConfigKey> withoutEffect() {
        List<ConfigKey> keys = new ArrayList<>();
        if (!naming.zone().isEmpty()) {
            keys.add(ConfigKey.ZONE);
        }
        if (session.leaseMillis() != SessionTimes.DEFAULT.leaseMillis()) {
            keys.add(ConfigKey.SESSION_LEASE_MILLIS);
        }
        if (session.graceMillis() != SessionTimes.DEFAULT.graceMillis()) {
            keys.add(ConfigKey.SESSION_GRACE_MILLIS);
        }
        return keys;
    }

    /**
     * Names.
     *
     * @param cell of the cell, also the deployment's
     * @param replica of this replica
     * @param zone where it runs; may be empty; no effect yet
     */
    public record Naming(String cell, String replica, String zone) {}

    /** Addresses to bind. */
    public record Listen(HostPort client, HostPort http, HostPort peer) {}

    /**
     * Timing of consensus.
     *
     * @param electionFromMillis shortest election timeout
     * @param electionToMillis longest, exclusive
     * @param snapshotEntries a snapshot is taken after so many log entries
     */
    public record RaftTimes(
            long heartbeatMillis, long electionFromMillis, long electionToMillis, long snapshotEntries) {
        /** For replicas on a network. */
        public static final RaftTimes DEFAULT = new RaftTimes(100, 1_000, 2_000, 100_000);

        /** For replicas that share a process: no network to wait for, only pauses of that process and of its machine. */
        public static final RaftTimes EMBEDDED = new RaftTimes(50, 700, 1_400, 100_000);
    }

    /**
     * Timing of sessions; no effect yet, as each client asks for a lease of its own (an open without one is refused) and
     * counts its own grace period.
     *
     * @param leaseMillis of a session that asks for none
     * @param graceMillis how long clients keep trying in jeopardy
     */
    public record SessionTimes(long leaseMillis, long graceMillis) {
        public static final SessionTimes DEFAULT = new SessionTimes(Limits.DEFAULT_SESSION_LEASE_MILLIS, 45_000);
    }
}
