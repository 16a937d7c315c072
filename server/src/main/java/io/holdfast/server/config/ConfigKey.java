package io.holdfast.server.config;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Every key of a server's configuration; {@link #of} says which server has which. A key {@code a.bCd} is {@code HOLDFAST_A_B_CD} in the environment and {@code
 * --a.b-cd} on the command line; the order is default, file, environment, flag, and the last one wins.
 */
public enum ConfigKey {
    CELL("cell", Type.TEXT, "name of the cell (default main)"),
    REPLICA("replica", Type.TEXT, "name of this replica, one of the members"),
    ZONE("zone", Type.TEXT, "where this replica runs; no effect yet"),
    DATA_DIR("dataDir", Type.TEXT, "directory of this replica's data"),
    LISTEN_CLIENT("listen.client", Type.ADDRESS, "address for clients (default 127.0.0.1:7420)"),
    LISTEN_HTTP("listen.http", Type.ADDRESS, "address for HTTP (default 127.0.0.1:7421)"),
    LISTEN_PEER("listen.peer", Type.ADDRESS, "address for the other replicas (default 127.0.0.1:7422)"),
    MEMBERS("members", Type.MEMBERS, "all replicas with their peer addresses: r1=host:port,r2=host:port,…"),
    SHARDS("shards", Type.INTEGER, "cells of the leased locks, 0 for none; fixed when the cell is made (default 20)"),
    RAFT_HEARTBEAT_MILLIS("raft.heartbeatMillis", Type.INTEGER, "time between a leader's heartbeats (default 100)"),
    RAFT_ELECTION_MILLIS("raft.electionMillis", Type.RANGE, "election timeout, from and to (default 1000,2000)"),
    RAFT_SNAPSHOT_ENTRIES("raft.snapshotEntries", Type.INTEGER, "log entries between snapshots (default 100000)"),
    SESSION_LEASE_MILLIS(
            "session.leaseMillis",
            Type.INTEGER,
            "lease of a session that asks for none (default 12000); no effect yet: every client asks for one"),
    SESSION_GRACE_MILLIS(
            "session.graceMillis",
            Type.INTEGER,
            "how long clients try on in jeopardy (default 45000); no effect yet: clients go by their own"),
    UPSTREAM("upstream", Type.ADDRESSES, "client addresses of all replicas: host:port,host:port,…");

    /** What kind of server a configuration is of. */
    public enum Server {
        REPLICA,
        PROXY
    }

    private static final Set<ConfigKey> PROXY_KEYS = EnumSet.of(LISTEN_CLIENT, LISTEN_HTTP, UPSTREAM);

    /** What a value looks like. */
    enum Type {
        TEXT("text"),
        ADDRESS("an address, host:port"),
        INTEGER("a whole number"),
        RANGE("two whole numbers, [from, to]"),
        MEMBERS("a map of names to addresses, {r1: host:port, …}"),
        ADDRESSES("a list of addresses, [host:port, …]");

        final String description;

        Type(String description) {
            this.description = description;
        }
    }

    private final String key;
    private final Type type;
    private final String description;

    ConfigKey(String key, Type type, String description) {
        this.key = key;
        this.type = type;
        this.description = description;
    }

    /** The keys of a server, in order. */
    public static Set<ConfigKey> of(Server server) {
        return server == Server.PROXY ? EnumSet.copyOf(PROXY_KEYS) : EnumSet.complementOf(EnumSet.of(UPSTREAM));
    }

    /** As in the file, with dots for nesting. */
    public String key() {
        return key;
    }

    /** As in the environment. */
    public String environmentName() {
        return "HOLDFAST_" + split("_").replace('.', '_').toUpperCase(Locale.ROOT);
    }

    /** As on the command line. */
    public String flag() {
        return "--" + split("-").toLowerCase(Locale.ROOT);
    }

    /** One line for a help text. */
    public String description() {
        return description;
    }

    Type type() {
        return type;
    }

    private String split(String separator) {
        return key.replaceAll("([a-z])([A-Z])", "$1" + separator + "$2");
    }

    static Optional<ConfigKey> named(String key) {
        return Arrays.stream(values()).filter(known -> known.key.equals(key)).findFirst();
    }

    /** Whether there are keys below this one. */
    static boolean isSection(String key) {
        return Arrays.stream(values()).anyMatch(known -> known.key.startsWith(key + "."));
    }

    static List<String> keys(Server server) {
        return of(server).stream().map(ConfigKey::key).toList();
    }
}
