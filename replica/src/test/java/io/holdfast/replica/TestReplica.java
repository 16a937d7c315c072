package io.holdfast.replica;

import io.holdfast.cell.CellLimits;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.raft.RaftConfig;
import io.holdfast.raft.ReplicaId;
import io.holdfast.storage.CellId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** One replica process with seams driven by hand. */
final class TestReplica {
    static final CellId CELL = new CellId("main");

    record Sent(long link, DownstreamFrame frame) {}

    /** Where peer frames go. */
    interface Network {
        void send(TestReplica from, String to, PeerFrame frame);
    }

    final ReplicaId id;
    final ManualLog log = new ManualLog();
    final MemorySnapshots snapshots = new MemorySnapshots();
    final ArrayDeque<Runnable> work = new ArrayDeque<>();
    final List<Sent> sent = new ArrayList<>();
    final List<Long> closedLinks = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    final List<Throwable> fatal = new ArrayList<>();
    final List<String> calls = new ArrayList<>();
    final TestMeter meter = new TestMeter();
    List<ReplicaId> recordedMembers = List.of();
    boolean recordedStart;
    /** While true that is not recorded; {@link #heldStartRecord} does it. */
    boolean startRecordHeld;

    Runnable heldStartRecord = () -> {};
    /** While true the worker does nothing. */
    boolean workerHeld;

    /** Hosted beside the first cell, by name. */
    final Map<String, MemorySnapshots> shards = new TreeMap<>();

    ReplicaSettings settings;
    ReplicaLoop loop;
    private final Network network;
    private final long seed;

    TestReplica(ReplicaId id, List<String> members, SnapshotPolicy policy, Network network, long seed) {
        this.id = id;
        this.network = network;
        this.seed = seed;
        this.settings = new ReplicaSettings(
                id, "test", members, RaftConfig.defaults(), policy, ReplicaSettings.DEFAULT_PAUSE_GAP_NANOS);
    }

    String name() {
        return id.name();
    }

    void start() {
        Random random = new Random(seed);
        IdentityStore identity = new IdentityStore() {
            @Override
            public void store(List<ReplicaId> members, Runnable done) {
                recordedMembers = members;
                done.run();
            }

            @Override
            public void started(Runnable done) {
                Runnable record = () -> {
                    recordedStart = true;
                    done.run();
                };
                if (startRecordHeld) {
                    heldStartRecord = record;
                } else {
                    record.run();
                }
            }
        };
        ReplicaSeams seams = new ReplicaSeams(
                log,
                identity,
                (peer, frame) -> network.send(this, peer, frame),
                sink(),
                work::add,
                bound -> Math.floorMod(random.nextLong(), bound),
                listener(),
                () -> 0);
        try {
            loop = new ReplicaLoop(
                    settings, seams, cells(), new FormationRecord(recordedMembers, recordedStart), () -> {});
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private List<HostedCell> cells() {
        List<HostedCell> cells = new ArrayList<>();
        cells.add(new HostedCell(CELL, snapshots, CellLimits.defaults()));
        shards.forEach((name, files) -> cells.add(new HostedCell(
                new CellId(name),
                files,
                CellLimits.defaults(),
                RaftConfig.of(300_000_000L, 1_000_000_000L, 2_000_000_000L))));
        return cells;
    }

    private UpstreamSink sink() {
        return new UpstreamSink() {
            @Override
            public void send(long link, DownstreamFrame frame) {
                sent.add(new Sent(link, frame));
            }

            @Override
            public void close(long link) {
                closedLinks.add(link);
            }
        };
    }

    private ReplicaListener listener() {
        return new ReplicaListener() {
            @Override
            public void serving(CellId cell, long term) {
                if (cell.equals(CELL)) {
                    calls.add("serving " + term);
                }
            }

            @Override
            public void formed() {
                calls.add("formed");
            }

            @Override
            public void notice(String message) {
                notices.add(message);
            }

            @Override
            public ReplicaMeter meter() {
                return meter;
            }

            @Override
            public void fatal(Throwable cause) {
                fatal.add(cause);
            }
        };
    }

    /** Loses everything but the disk. */
    void crash() {
        loop = null;
        log.crash();
        work.clear();
        sent.clear();
    }

    boolean isUp() {
        return loop != null;
    }

    /** Turns at this time until nothing more happens by itself. */
    boolean turn(long now) {
        boolean did = false;
        for (int i = 0; i < 1_000; i++) {
            boolean again = loop.hasMail() || loop.nextDeadlineNanos() <= now;
            if (again) {
                loop.turn(now);
            }
            again |= log.sync();
            while (!workerHeld && !work.isEmpty()) {
                work.remove().run();
                again = true;
            }
            if (!fatal.isEmpty()) {
                throw new AssertionError(name() + " failed", fatal.get(0));
            }
            if (!again) {
                return did;
            }
            did = true;
        }
        throw new AssertionError(name() + " does not come to rest");
    }

    boolean isServing() {
        ReplicaStatus.CellView view = isUp() ? loop.status().cell(CELL) : null;
        return view != null && view.serving();
    }

    // ---- clients

    void client(long link, long stream, ClientFrame frame) {
        loop.offer(new LoopInput.FromUpstream(link, new UpstreamFrame.Forward(stream, frame)));
    }

    /** What one stream was sent, and forgets it. */
    List<ServerFrame> take(long link, long stream) {
        List<ServerFrame> frames = new ArrayList<>();
        sent.removeIf(one -> {
            boolean match = one.link() == link
                    && one.frame() instanceof DownstreamFrame.Deliver deliver
                    && deliver.stream() == stream;
            if (match) {
                frames.add(((DownstreamFrame.Deliver) one.frame()).frame());
            }
            return match;
        });
        return frames;
    }
}
