package io.holdfast.server.parts;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.holdfast.model.Shards;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.link.UpstreamDialer;
import io.holdfast.replica.LoopInput;
import io.holdfast.replica.LoopThread;
import io.holdfast.replica.ReplicaSeams;
import io.holdfast.replica.ReplicaSettings;
import io.holdfast.replica.ReplicaStatus;
import io.holdfast.replica.SnapshotPolicy;
import io.holdfast.replica.grpc.GrpcPeerTransport;
import io.holdfast.replica.grpc.LocalUpstream;
import io.holdfast.replica.grpc.UpstreamLinks;
import io.holdfast.replica.grpc.UpstreamService;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.ReplicaConfig;
import io.holdfast.server.metrics.CellMeters;
import io.holdfast.server.metrics.ProcessMetrics;
import io.holdfast.server.metrics.ReplicaMetrics;
import io.holdfast.server.metrics.ShardMetrics;
import io.holdfast.storage.CellId;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica: its disk, its loop and the port for its peers; without the port for clients.
 *
 * <p><b>Thread:</b> one starts and stops it; both block, stopping for a bounded time.
 */
public final class RunningReplica implements AutoCloseable {
    private static final long STOP_LOOP_MILLIS = 500;
    private static final long STOP_WORKER_MILLIS = 500;
    /** However short the election timeout: a peer may be busy for so long. */
    private static final long MIN_SILENCE_MILLIS = 1_000;

    private static final Logger log = LoggerFactory.getLogger(RunningReplica.class);

    private final ReplicaConfig config;
    private final CellId cell;
    private final HostedCells cells;
    private final ReplicaEvents events;
    private final ReplicaDisk disk;
    private final GrpcPeerTransport peers;
    private final UpstreamLinks links = new UpstreamLinks();
    private final ExecutorService worker;
    private final WireThreads threads;
    private final LoopThread loop;
    private @Nullable Server peerServer;

    private RunningReplica(
            ReplicaConfig config, ReplicaDisk disk, WireThreads threads, ReplicaMetrics metrics, FatalHandler fatal)
            throws IOException {
        this.config = config;
        this.disk = disk;
        String name = config.naming().replica();
        this.cell = new CellId(config.naming().cell());
        this.cells = new HostedCells(config);
        ShardMetrics shardMetrics = metrics.shards(config.shards());
        this.events = new ReplicaEvents(name, cell, new CellMeters(cell, metrics, shardMetrics), fatal);
        events.listen(metrics::leaderKnown);
        events.listenForShards(shardMetrics::leaderKnown);
        this.peers = new GrpcPeerTransport(
                threads,
                GrpcPeerTransport.DEFAULT_MAX_WAITING_BYTES,
                Math.max(MIN_SILENCE_MILLIS, config.raft().electionToMillis()));
        this.threads = threads;
        this.worker = Executors.newSingleThreadExecutor(task -> daemon(task, "holdfast-files-" + name));
        SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
        ReplicaSeams seams = new ReplicaSeams(
                disk.log(),
                disk,
                peers,
                links,
                task -> worker.execute(guarded(task, fatal)),
                random::nextLong,
                events,
                System::currentTimeMillis);
        this.loop = new LoopThread(
                settings(), seams, cells.hosted(disk), disk.recorded(), System::nanoTime, threads.next());
        disk.handedOver();
        disk.whenFull(() -> offer(new LoopInput.Internal(loop.loop()::refuseLeads)));
        disk.whenRoomAgain(() -> offer(new LoopInput.Internal(loop.loop()::acceptLeads)));
        metrics.watch(loop.loop()::status, disk.log()::sizeBytes, disk.progress());
        shardMetrics.watch(loop.loop()::status);
    }

    /**
     * Opens the data and listens for peers. Nothing is sent before {@link #start()}.
     *
     * @param peerSetting what sets the peer address, for messages
     * @param metrics of the process; those of this replica are added
     * @throws StartFailedException if the data or the port cannot be used
     */
    public static RunningReplica open(
            ReplicaConfig config, String peerSetting, WireThreads threads, ProcessMetrics metrics, FatalHandler fatal) {
        String name = config.naming().replica();
        ReplicaMetrics measured = metrics.replica(config.naming().cell(), name);
        ReplicaDisk disk = ReplicaDisk.open(
                config.dataDir(),
                config.naming().cell(),
                name,
                new HostedCells(config).ids(),
                new Shards(config.shards()),
                measured,
                fatal);
        RunningReplica replica;
        try {
            disk.knownMembers(new CellId(config.naming().cell()))
                    .requireKnown(config.members().keySet());
            replica = new RunningReplica(config, disk, threads, measured, fatal);
        } catch (IOException refused) {
            disk.close();
            throw new StartFailedException("replica " + name + ": " + refused.getMessage(), refused);
        } catch (RuntimeException failed) {
            disk.close();
            throw failed;
        }
        try {
            replica.listen(new Binding(config.listen().peer(), peerSetting), threads);
        } catch (RuntimeException failed) {
            replica.close();
            throw failed;
        }
        return replica;
    }

    private void listen(Binding binding, WireThreads threads) {
        peerServer = binding.start(threads.server(binding.socketAddress())
                .addService(peers.service())
                .addService(new UpstreamService(links, threads).service()));
    }

    private ReplicaSettings settings() {
        return new ReplicaSettings(
                disk.self(),
                config.naming().cell(),
                List.copyOf(config.members().keySet()),
                cells.raft(),
                SnapshotPolicy.defaults().withEntries(config.raft().snapshotEntries()),
                ReplicaSettings.DEFAULT_PAUSE_GAP_NANOS);
    }

    /** Takes part from now on. */
    public void start() {
        peers.start(this::offer);
        links.start(this::offer);
        config.members().forEach((name, address) -> {
            if (!name.equals(config.naming().replica())) {
                peers.setPeer(name, address.toString());
            }
        });
        loop.start();
    }

    private void offer(LoopInput input) {
        // A full mailbox drops it: peers repeat, and the loop cuts a front end's link as a whole.
        loop.loop().offer(input);
    }

    /**
     * Hands the leads that this replica has to others, and waits until those lead. It takes none back.
     *
     * @param mostMillis waits no longer; does not wait at all if there is nothing to hand over or nobody else in the cell
     */
    public void handOverLeads(long mostMillis) {
        if (config.members().size() == 1) {
            return;
        }
        LeadsToGo leads = new LeadsToGo(name());
        events.listen((leader, term) -> leads.leaderKnown(cell, leader));
        events.listenForShards((shard, leader, term) -> leads.leaderKnown(shard, leader));
        List<CellId> led = leads.begin(status()); // after listening: a lead may just move by itself
        if (led.isEmpty()) {
            return;
        }
        log.info("{}: hands over the leads of {}", name(), led);
        offer(new LoopInput.Internal(loop.loop()::refuseLeads));
        try {
            leads.allGone().get(mostMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException nobody) {
            log.warn("{}: no other replica took the leads of {} within {} ms", name(), leads.left(), mostMillis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Hears who leads the cell, on the loop's thread; not told what was before. */
    public void listenForLeader(BiConsumer<@Nullable String, Long> listener) {
        events.listen(listener::accept);
    }

    /** Hears who leads each shard, likewise. */
    void listenForShardLeaders(ReplicaEvents.ShardListener listener) {
        events.listenForShards(listener);
    }

    Shards shards() {
        return new Shards(config.shards());
    }

    /** Completes once the cell is formed and consensus runs. */
    public CompletableFuture<Void> whenFormed() {
        return events.whenFormed();
    }

    /** Identity of the formed deployment (C115); ask once it is formed. */
    public String deployment() {
        return disk.deployment();
    }

    public ReplicaStatus status() {
        return loop.loop().status();
    }

    public String name() {
        return config.naming().replica();
    }

    public CellId cell() {
        return cell;
    }

    /** The address that peers use for this replica. */
    public HostPort peerAddress() {
        return config.listen().peer();
    }

    /** Its network thread, which its loop shares. */
    WireThreads threads() {
        return threads;
    }

    /** How a front end in this process reaches this replica. */
    public UpstreamDialer localUpstream() {
        return new LocalUpstream(links);
    }

    /** How front ends in other processes that are no replicas reach this one; goes into the server on the client port. */
    ServerServiceDefinition upstreamService() {
        return new UpstreamService(links, threads).service();
    }

    /** Stops serving, then makes durable what was queued. */
    @Override
    public void close() {
        Binding.stop(peerServer);
        peers.close();
        try {
            loop.stop(STOP_LOOP_MILLIS);
            worker.shutdown();
            worker.awaitTermination(STOP_WORKER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        disk.close();
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private static Runnable guarded(Runnable task, FatalHandler fatal) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error broken) {
                fatal.fatal("a task on files failed: " + broken.getMessage(), broken);
            }
        };
    }
}
