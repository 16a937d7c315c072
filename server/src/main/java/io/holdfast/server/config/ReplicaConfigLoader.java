package io.holdfast.server.config;

import io.holdfast.model.Limits;
import io.holdfast.model.Shards;
import io.holdfast.server.config.ReplicaConfig.Listen;
import io.holdfast.server.config.ReplicaConfig.Naming;
import io.holdfast.server.config.ReplicaConfig.RaftTimes;
import io.holdfast.server.config.ReplicaConfig.SessionTimes;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Lays file, environment and flags over each other ({@link ConfigLayers}) and checks the result.
 *
 * <p>Every failure is a {@link ConfigException} of one line that names the file (or variable, or flag) and the key.
 */
public final class ReplicaConfigLoader {
    private final ConfigLayers layers;
    private final ConfigValues values;

    private ReplicaConfigLoader(ConfigLayers layers) {
        this.layers = layers;
        this.values = layers.values;
    }

    /**
     * Loads a configuration.
     *
     * @param file the YAML file, or null for none
     * @param environment all variables of the process
     * @param flags values given on the command line, by key
     * @param insecure whether other addresses than loopback may be bound without TLS
     */
    public static ReplicaConfig load(
            @Nullable Path file, Map<String, String> environment, Map<ConfigKey, String> flags, boolean insecure) {
        return new ReplicaConfigLoader(ConfigLayers.read(ConfigKey.Server.REPLICA, file, environment, flags, insecure))
                .check();
    }

    private ReplicaConfig check() {
        SortedMap<String, HostPort> members = members();
        Naming naming = new Naming(
                cell(values.text(ConfigKey.CELL).orElse("main")),
                replica(members),
                values.text(ConfigKey.ZONE).orElse(""));
        String dataDir = values.text(ConfigKey.DATA_DIR).orElseThrow(() -> missing(ConfigKey.DATA_DIR));
        if (dataDir.isBlank()) {
            throw wrong(ConfigKey.DATA_DIR, "must not be empty");
        }
        return new ReplicaConfig(
                naming,
                Path.of(dataDir),
                listen(),
                members,
                (int) integer(ConfigKey.SHARDS, ReplicaConfig.DEFAULT_SHARDS, 0, ReplicaConfig.MAX_SHARDS),
                raft(),
                session());
    }

    private SortedMap<String, HostPort> members() {
        SortedMap<String, HostPort> members =
                values.members(ConfigKey.MEMBERS).orElseThrow(() -> missing(ConfigKey.MEMBERS));
        if (members.isEmpty() || members.size() > ReplicaConfig.MAX_MEMBERS) {
            throw wrong(
                    ConfigKey.MEMBERS,
                    "must name 1 to " + ReplicaConfig.MAX_MEMBERS + " replicas, but names " + members.size());
        }
        Map<HostPort, String> byAddress = new HashMap<>();
        members.forEach((name, address) -> {
            name(ConfigKey.MEMBERS, name);
            if (address.port() == 0) {
                throw wrong(ConfigKey.MEMBERS, name + " has port 0");
            }
            String other = byAddress.put(address, name);
            if (other != null) {
                throw wrong(ConfigKey.MEMBERS, other + " and " + name + " have the same address " + address);
            }
        });
        return members;
    }

    private String replica(SortedMap<String, HostPort> members) {
        String replica = values.text(ConfigKey.REPLICA).orElseThrow(() -> missing(ConfigKey.REPLICA));
        if (!members.containsKey(replica)) {
            throw wrong(
                    ConfigKey.REPLICA,
                    "'" + replica + "' is not among the members " + String.join(", ", members.keySet()));
        }
        return replica;
    }

    private String name(ConfigKey key, String name) {
        if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
            throw wrong(key, "'" + name + "': use 1 to 64 letters, digits, dots, dashes or underscores");
        }
        return name;
    }

    private String cell(String name) {
        if (Shards.isShardName(name)) {
            throw wrong(ConfigKey.CELL, "'" + name + "': names that begin with shard- are kept for the shards");
        }
        return name(ConfigKey.CELL, name);
    }

    private Listen listen() {
        Listen listen = new Listen(
                bind(ConfigKey.LISTEN_CLIENT, ReplicaConfig.DEFAULT_CLIENT_PORT),
                bind(ConfigKey.LISTEN_HTTP, ReplicaConfig.DEFAULT_HTTP_PORT),
                bind(ConfigKey.LISTEN_PEER, ReplicaConfig.DEFAULT_PEER_PORT));
        requireDifferent(ConfigKey.LISTEN_HTTP, listen.http(), ConfigKey.LISTEN_CLIENT, listen.client());
        requireDifferent(ConfigKey.LISTEN_PEER, listen.peer(), ConfigKey.LISTEN_CLIENT, listen.client());
        requireDifferent(ConfigKey.LISTEN_PEER, listen.peer(), ConfigKey.LISTEN_HTTP, listen.http());
        return listen;
    }

    private HostPort bind(ConfigKey key, int defaultPort) {
        return layers.bind(key, defaultPort);
    }

    private void requireDifferent(ConfigKey key, HostPort address, ConfigKey otherKey, HostPort other) {
        layers.requireDifferent(key, address, otherKey, other);
    }

    private RaftTimes raft() {
        RaftTimes defaults = RaftTimes.DEFAULT;
        long heartbeat = integer(ConfigKey.RAFT_HEARTBEAT_MILLIS, defaults.heartbeatMillis(), 5, 10_000);
        List<Long> election = values.range(ConfigKey.RAFT_ELECTION_MILLIS)
                .orElse(List.of(defaults.electionFromMillis(), defaults.electionToMillis()));
        long from = election.get(0);
        long to = election.get(1);
        if (from < 10 || to > 120_000 || to <= from) {
            throw wrong(
                    ConfigKey.RAFT_ELECTION_MILLIS,
                    "[" + from + ", " + to + "] is not a range from 10 to 120000 ms, the second above the first");
        }
        if (from < 2 * heartbeat) {
            throw wrong(
                    ConfigKey.RAFT_ELECTION_MILLIS,
                    "must begin at twice raft.heartbeatMillis (" + heartbeat + ") or more, but begins at " + from);
        }
        long snapshotEntries = integer(ConfigKey.RAFT_SNAPSHOT_ENTRIES, defaults.snapshotEntries(), 100, 100_000_000);
        return new RaftTimes(heartbeat, from, to, snapshotEntries);
    }

    private SessionTimes session() {
        return new SessionTimes(
                integer(
                        ConfigKey.SESSION_LEASE_MILLIS,
                        SessionTimes.DEFAULT.leaseMillis(),
                        Limits.MIN_SESSION_LEASE_MILLIS,
                        Limits.MAX_SESSION_LEASE_MILLIS),
                integer(ConfigKey.SESSION_GRACE_MILLIS, SessionTimes.DEFAULT.graceMillis(), 0, 3_600_000));
    }

    private long integer(ConfigKey key, long otherwise, long min, long max) {
        return layers.integer(key, otherwise, min, max);
    }

    private ConfigException wrong(ConfigKey key, String problem) {
        return layers.wrong(key, problem);
    }

    private ConfigException missing(ConfigKey key) {
        return layers.missing(key);
    }
}
