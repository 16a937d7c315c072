package io.holdfast.server;

import io.holdfast.model.Shards;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.proxy.grpc.LeaderFinder;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.ProxyConfig;
import io.holdfast.server.http.HttpEndpoint;
import io.holdfast.server.metrics.ProcessMetrics;
import io.holdfast.server.metrics.ProxyMetrics;
import io.holdfast.server.parts.Binding;
import io.holdfast.server.parts.FileLimit;
import io.holdfast.server.parts.PortCheck;
import io.holdfast.server.parts.ProxyEndpoint;
import io.holdfast.server.parts.Shutdown;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy as a server: a front end that is beside no replica, the port for clients and the HTTP port.
 *
 * <p>It finds the leader through the client ports of the replicas. Its own port for clients opens when the first of them has said of which
 * cell it is; the HTTP port is open before that.
 *
 * <p><b>Thread:</b> one starts and stops it; {@link #close} may come from another and takes {@link ProxyEndpoint#DRAIN_MILLIS} and a
 * second at most.
 */
public final class ProxyServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ProxyServer.class);
    private static final String NOT_FOUND =
            "no replica of the cell has answered yet; the log says which upstreams are asked";

    private final ProxyConfig config;
    private final WireThreads threads = new WireThreads(1, "holdfast-proxy");
    private final ProcessMetrics metrics = new ProcessMetrics();
    private final FileLimit files = FileLimit.ofProcess();
    private final ProxyEndpoint endpoint;
    private final LeaderFinder finder;
    private final HttpEndpoint http;
    private final Shutdown shutdown = new Shutdown();
    private final CompletableFuture<Void> serving = new CompletableFuture<>();
    private volatile @Nullable ProxyMetrics measured;

    private ProxyServer(ProxyConfig config) {
        this.config = config;
        shutdown.add(threads);
        try {
            files.check().ifPresent(log::warn);
            PortCheck.requireFree(List.of(clientBinding(), httpBinding()));
            this.http = shutdown.add(ReplicaServer.http(httpBinding(), metrics, NOT_FOUND));
        } catch (RuntimeException refused) {
            shutdown.close();
            throw refused;
        }
        this.endpoint = shutdown.add(new ProxyEndpoint(name(), threads, files));
        this.finder = new LeaderFinder(
                config.upstream().stream().map(HostPort::toString).toList(), threads, threads.next(), new Found());
        shutdown.add(finder);
        finder.start();
    }

    /**
     * Starts; returns before a replica was found.
     *
     * @throws io.holdfast.server.parts.StartFailedException naming the port, or a limit of the system
     */
    public static ProxyServer start(ProxyConfig config) {
        return new ProxyServer(config);
    }

    /** What clients and metrics know it by. */
    private String name() {
        return "proxy@" + config.client();
    }

    private Binding clientBinding() {
        return new Binding(config.client(), "listen.client");
    }

    private Binding httpBinding() {
        return new Binding(config.http(), "listen.http");
    }

    public ProxyConfig config() {
        return config;
    }

    /** Completes when clients are served, or with why they cannot be. */
    public CompletableFuture<Void> whenServing() {
        return serving;
    }

    /** Has the clients move to other proxies or replicas, then ends. */
    @Override
    public void close() {
        endpoint.drain();
        shutdown.close();
    }

    /** Serves what is found; on the network's thread. */
    private final class Found implements LeaderFinder.Listener {
        private boolean found;

        @Override
        public void found(String cell, String deployment, Shards shards) {
            log.info("{} is in front of cell {} ({})", name(), cell, deployment);
            endpoint.found(cell, deployment, shards);
            if (!found) {
                found = true;
                ProxyMetrics proxy = metrics.proxy(cell, name());
                measured = proxy;
                proxy.watch(endpoint::figures, finder::hearing);
                var unused = CompletableFuture.runAsync(() -> serve(shards)); // binding may block
            }
        }

        private void serve(Shards shards) {
            try {
                endpoint.listen(clientBinding());
                http.serve(ReplicaServer.httpClient(config.client()), shards.count());
                serving.complete(null);
            } catch (RuntimeException | Error failed) {
                serving.completeExceptionally(failed);
            }
        }

        @Override
        public void located(String replica, String address) {
            endpoint.located(replica, address);
        }

        @Override
        public void leaderKnown(@Nullable String leader, long term) {
            if (leader == null) {
                log.info("no leader is known");
            } else {
                log.info("{} leads in term {}", leader, term);
            }
            endpoint.leaderKnown(leader, term);
        }

        @Override
        public void leaderKnown(String shard, @Nullable String leader, long term) {
            endpoint.leaderKnown(shard, leader, term);
        }
    }
}
