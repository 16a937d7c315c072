package io.holdfast.server;

import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.ReplicaConfig;
import io.holdfast.server.config.ReplicaConfig.Listen;
import io.holdfast.server.config.ReplicaConfig.Naming;
import io.holdfast.server.config.ReplicaConfig.RaftTimes;
import io.holdfast.server.config.ReplicaConfig.SessionTimes;
import io.holdfast.server.http.HttpEndpoint;
import io.holdfast.server.metrics.ProcessMetrics;
import io.holdfast.server.parts.Binding;
import io.holdfast.server.parts.ClientEndpoint;
import io.holdfast.server.parts.FatalHandler;
import io.holdfast.server.parts.FileLimit;
import io.holdfast.server.parts.PortCheck;
import io.holdfast.server.parts.RunningReplica;
import io.holdfast.server.parts.Shutdown;
import io.holdfast.server.parts.StartFailedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A whole durable cell in one process, for development and tests: every replica has its own log and its own loopback port
 * for peers. Clients come by one port, served by the front end of the first replica, which takes them to the leader
 * whichever of the replicas leads.
 *
 * <p><b>Thread:</b> one starts and stops it; {@link #close} may come from another and takes a few seconds at most.
 */
public final class DevCell implements AutoCloseable {
    /** Name of the cell, and of its deployment. */
    public static final String CELL = "dev";

    public static final int DEFAULT_REPLICAS = 3;
    private static final int MAX_PORT = 65_535;
    private static final long LEADER_SECONDS = 30;

    private final Settings settings;
    private final Shutdown shutdown = new Shutdown();
    private final List<RunningReplica> replicas = new ArrayList<>();

    /**
     * What to start.
     *
     * @param directory of all data; replica {@code rN} has {@code directory/rN}
     * @param replicas 1 to {@link ReplicaConfig#MAX_MEMBERS}
     * @param port for clients; HTTP is the next one, peers follow
     * @param shards cells of the leased locks, 0 for none; fixed when the cell is made
     */
    public record Settings(Path directory, int replicas, int port, int shards) {
        public Settings {
            if (replicas < 1 || replicas > ReplicaConfig.MAX_MEMBERS) {
                throw new IllegalArgumentException(
                        "--replicas " + replicas + " is outside 1 to " + ReplicaConfig.MAX_MEMBERS);
            }
            if (port < 1 || port > MAX_PORT - 1 - replicas) {
                throw new IllegalArgumentException("--port " + port + " is outside 1 to " + (MAX_PORT - 1 - replicas)
                        + ": the ports after it are used as well");
            }
            if (shards < 0 || shards > ReplicaConfig.MAX_SHARDS) {
                throw new IllegalArgumentException(
                        "--shards " + shards + " is outside 0 to " + ReplicaConfig.MAX_SHARDS);
            }
        }

        List<String> names() {
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= replicas; i++) {
                names.add("r" + i);
            }
            return names;
        }

        SortedMap<String, HostPort> members() {
            SortedMap<String, HostPort> members = new TreeMap<>();
            List<String> names = names();
            for (int i = 0; i < names.size(); i++) {
                members.put(names.get(i), local(port + 2 + i));
            }
            return members;
        }

        private static HostPort local(int port) {
            return new HostPort("127.0.0.1", port);
        }

        public HostPort client() {
            return local(port);
        }

        public HostPort http() {
            return local(port + 1);
        }

        ReplicaConfig config(String name) {
            SortedMap<String, HostPort> members = members();
            HostPort peer = members.getOrDefault(name, client());
            return new ReplicaConfig(
                    new Naming(CELL, name, ""),
                    directory.resolve(name),
                    new Listen(client(), http(), peer),
                    members,
                    shards,
                    RaftTimes.EMBEDDED,
                    SessionTimes.DEFAULT);
        }

        Binding binding(HostPort address) {
            return new Binding(address, "--port " + port);
        }
    }

    private DevCell(Settings settings) {
        this.settings = settings;
    }

    /**
     * Starts the cell and waits until it has a leader.
     *
     * @throws StartFailedException naming the port, file or directory that stands in the way
     */
    public static DevCell start(Settings settings, FatalHandler fatal) {
        DevCell cell = new DevCell(settings);
        try {
            cell.open(fatal);
            return cell;
        } catch (RuntimeException failed) {
            cell.close();
            throw failed;
        }
    }

    private void open(FatalHandler fatal) {
        List<Binding> all = new ArrayList<>();
        all.add(settings.binding(settings.client()));
        all.add(settings.binding(settings.http()));
        settings.members().values().forEach(peer -> all.add(settings.binding(peer)));
        PortCheck.requireFree(all);
        DevData.check(settings.directory(), CELL, settings.names());
        ProcessMetrics metrics = new ProcessMetrics();
        for (String name : settings.names()) {
            WireThreads threads = shutdown.add(new WireThreads(1, "holdfast-" + name));
            replicas.add(shutdown.add(
                    RunningReplica.open(settings.config(name), "--port " + settings.port(), threads, metrics, fatal)));
        }
        HttpEndpoint http = shutdown.add(ReplicaServer.http(settings.binding(settings.http()), metrics));
        RunningReplica first = replicas.get(0);
        CompletableFuture<Void> leader = new CompletableFuture<>();
        first.listenForLeader((name, term) -> {
            if (name != null) {
                leader.complete(null);
            }
        });
        replicas.forEach(RunningReplica::start);
        await(first.whenFormed(), "formed");
        shutdown.add(ClientEndpoint.start(
                settings.binding(settings.client()), first, settings.members(), FileLimit.ofProcess()));
        http.serve(ReplicaServer.httpClient(settings.client()), settings.shards());
        await(leader, "led by one of its replicas");
    }

    private static void await(CompletableFuture<Void> event, String what) {
        try {
            event.get(LEADER_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new StartFailedException("the cell was not " + what + " within " + LEADER_SECONDS
                    + " s; the lines above say why, or this machine is too busy");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StartFailedException("interrupted while starting", interrupted);
        } catch (ExecutionException failed) {
            throw new StartFailedException("the cell was not " + what + ": " + failed.getMessage(), failed);
        }
    }

    public Settings settings() {
        return settings;
    }

    @Override
    public void close() {
        shutdown.close();
    }
}
