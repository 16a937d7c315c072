package io.holdfast.bench.run;

import io.holdfast.bench.server.Cluster;
import io.holdfast.bench.server.EtcdServers;
import io.holdfast.bench.server.HoldfastDev;
import io.holdfast.bench.server.HoldfastReplicas;
import io.holdfast.bench.server.Setup;
import io.holdfast.bench.server.ZooKeeperServers;
import java.util.Locale;

/** A lock service that takes part. */
enum Contender {
    HOLDFAST("Holdfast", "io.holdfast.bench.driver.HoldfastService"),
    ZOOKEEPER("ZooKeeper", "io.holdfast.bench.peers.CuratorService"),
    ETCD("etcd", "io.holdfast.bench.peers.EtcdService");

    private final String label;
    private final String driver;

    Contender(String label, String driver) {
        this.label = label;
        this.driver = driver;
    }

    static Contender named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    String label() {
        return label;
    }

    /** Class that the load JVM drives it through. */
    String driver() {
        return driver;
    }

    /** Whether it can run here; if not, says so. */
    boolean isHere() {
        if (this == ETCD && EtcdServers.binary().isEmpty()) {
            System.out.println("etcd is left out: no etcd on the PATH (Debian: apt-get install etcd-server)");
            return false;
        }
        return true;
    }

    /** Starts its servers with empty data. {@code dev} for Holdfast: all replicas in one process. */
    Cluster start(Setup setup, boolean dev) {
        return switch (this) {
            case HOLDFAST -> dev ? HoldfastDev.start(setup) : HoldfastReplicas.start(setup);
            case ZOOKEEPER -> ZooKeeperServers.start(setup);
            case ETCD -> EtcdServers.start(setup);
        };
    }
}
