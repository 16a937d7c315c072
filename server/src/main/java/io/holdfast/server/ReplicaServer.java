package io.holdfast.server;

import io.holdfast.client.HoldfastClient;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.server.config.ConfigDoubts;
import io.holdfast.server.config.ConfigKey;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.ReplicaConfig;
import io.holdfast.server.http.HttpEndpoint;
import io.holdfast.server.metrics.ProcessMetrics;
import io.holdfast.server.parts.Binding;
import io.holdfast.server.parts.ClientEndpoint;
import io.holdfast.server.parts.FatalHandler;
import io.holdfast.server.parts.FileLimit;
import io.holdfast.server.parts.PortCheck;
import io.holdfast.server.parts.RunningReplica;
import io.holdfast.server.parts.Shutdown;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica as a server: its data and loop, the port for peers, the port for clients and the HTTP port.
 *
 * <p>The port for clients opens when the cell is formed, which on a first start takes all members; the HTTP port is open
 * before that.
 *
 * <p><b>Thread:</b> one starts and stops it; {@link #close} may come from another and takes a few seconds at most.
 */
public final class ReplicaServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ReplicaServer.class);
    private static final long HAND_OVER_MILLIS = 1_500;
    private static final Duration HTTP_CALL_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration HTTP_CLOSE_TIMEOUT = Duration.ofMillis(200);

    private final ReplicaConfig config;
    private final WireThreads threads;
    private final RunningReplica replica;
    private final HttpEndpoint http;
    private final Shutdown shutdown = new Shutdown();
    private final CompletableFuture<Void> serving = new CompletableFuture<>();
    private final FileLimit files = FileLimit.ofProcess();
    private volatile @Nullable ClientEndpoint clients;

    private ReplicaServer(ReplicaConfig config, FatalHandler fatal) {
        files.check().ifPresent(log::warn);
        this.config = config;
        this.threads = new WireThreads(1, "holdfast-" + config.naming().replica());
        shutdown.add(threads);
        sayWhatIsOdd(config);
        ProcessMetrics metrics = new ProcessMetrics();
        try {
            PortCheck.requireFree(List.of(clientBinding(), httpBinding()));
            this.replica = shutdown.add(RunningReplica.open(config, "listen.peer", threads, metrics, fatal));
            this.http = shutdown.add(http(httpBinding(), metrics));
        } catch (RuntimeException refused) {
            shutdown.close();
            throw refused;
        }
        var unused = replica.whenFormed().thenRunAsync(this::serve);
        replica.start();
    }

    /**
     * Starts; returns when the replica takes part, before the cell is formed.
     *
     * @throws io.holdfast.server.parts.StartFailedException naming the port, file or directory
     */
    public static ReplicaServer start(ReplicaConfig config, FatalHandler fatal) {
        return new ReplicaServer(config, fatal);
    }

    private static void sayWhatIsOdd(ReplicaConfig config) {
        String keys = config.withoutEffect().stream().map(ConfigKey::key).collect(Collectors.joining(", "));
        if (!keys.isEmpty()) {
            log.warn(
                    "{}: set, but without effect in this version: {}",
                    config.naming().replica(),
                    keys);
        }
        ConfigDoubts.of(config)
                .forEach(doubt -> log.warn("{}: {}", config.naming().replica(), doubt));
    }

    private void serve() {
        try {
            clients = shutdown.add(ClientEndpoint.start(clientBinding(), replica, config.members(), files));
            http.serve(httpClient(config.listen().client()), config.shards());
            serving.complete(null);
        } catch (RuntimeException | Error failed) {
            serving.completeExceptionally(failed);
        }
    }

    private Binding clientBinding() {
        return new Binding(config.listen().client(), "listen.client");
    }

    private Binding httpBinding() {
        return new Binding(config.listen().http(), "listen.http");
    }

    static HttpEndpoint http(Binding binding, ProcessMetrics metrics) {
        return http(binding, metrics, HttpEndpoint.NOT_FORMED);
    }

    static HttpEndpoint http(Binding binding, ProcessMetrics metrics, String notServing) {
        try {
            return HttpEndpoint.start(
                    binding.address().host(), binding.address().port(), metrics::scrape, notServing);
        } catch (RuntimeException failed) {
            throw binding.failure(failed);
        }
    }

    /** Asks the cell for the HTTP port, by the client port of this process. */
    static HoldfastClient httpClient(HostPort clientPort) {
        return HoldfastClient.builder()
                .withoutCache()
                .endpoints(reachable(clientPort).toString())
                .clientName("http")
                .callTimeout(HTTP_CALL_TIMEOUT)
                .closeTimeout(HTTP_CLOSE_TIMEOUT)
                .build();
    }

    /** Where this process itself reaches a port that it listens on. */
    private static HostPort reachable(HostPort bound) {
        return switch (bound.host()) {
            case "0.0.0.0" -> new HostPort("127.0.0.1", bound.port());
            case "::", "0:0:0:0:0:0:0:0" -> new HostPort("::1", bound.port());
            default -> bound;
        };
    }

    public ReplicaConfig config() {
        return config;
    }

    /** Completes when clients are served, or with why they cannot be. */
    public CompletableFuture<Void> whenServing() {
        return serving;
    }

    /**
     * Hands over its leads first, so that the others need not wait for an election timeout; then has its clients move to the others,
     * if there are any.
     */
    @Override
    public void close() {
        replica.handOverLeads(HAND_OVER_MILLIS);
        ClientEndpoint served = clients;
        if (served != null && config.members().size() > 1) {
            served.drain("replica " + config.naming().replica() + " is shutting down");
        }
        shutdown.close();
    }
}
