package io.holdfast.replica.grpc;

import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.model.Shards;
import io.holdfast.protocol.codec.Fields;
import io.holdfast.protocol.codec.LeadersCodec;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.LeadersView.CellLeader;
import io.holdfast.protocol.grpc.StreamService;
import io.holdfast.protocol.proto.FollowMessage;
import io.holdfast.protocol.proto.HoldfastLeadersGrpc;
import io.holdfast.protocol.proto.LeadersMessage;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells proxies who leads, as this replica knows it: at once, when it changes, and every {@link #BEAT_MILLIS} in between.
 *
 * <p>Whoever listens asks again every half second, and is told nothing once it has not for two: so a path that is cut in one direction
 * only is silent in both.
 *
 * <p>It speaks on the thread of the loop (ADR 0006), so a replica that does not turn is silent here too. Only the newest view matters:
 * for a reader that takes nothing nothing is kept.
 *
 * <p><b>Thread:</b> any; everything happens on the executor.
 */
public final class LeadersService implements AutoCloseable {
    static final long BEAT_MILLIS = 300;
    /** Beats for a reader that has not asked again, which it does every half second; then there is silence both ways. */
    static final int MAX_BEATS_UNASKED = 7;
    /** More are turned away. */
    static final int MAX_READERS = 1_000;

    private final String deployment;
    private final String replica;
    private final ScheduledExecutorService executor;
    private final Future<?> beat;

    /** The executor's. */
    private final Set<Reader> readers = new LinkedHashSet<>();
    /** The executor's; by cell, the first one first, then the shards in order. */
    private final Map<String, CellLeader> cells = new LinkedHashMap<>();

    private final String first;

    /**
     * @param cell that front ends speak to if they name none
     * @param shards of the deployment
     * @param executor one thread, that of the replica's loop
     */
    public LeadersService(
            String cell, Shards shards, String deployment, String replica, ScheduledExecutorService executor) {
        this.deployment = deployment;
        this.replica = replica;
        this.executor = executor;
        this.first = cell;
        cells.put(cell, new CellLeader(cell, 0, null));
        shards.cellNames().forEach(shard -> cells.put(shard, new CellLeader(shard, 0, null)));
        this.beat = executor.scheduleWithFixedDelay(this::beat, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Goes into the server on the client port. */
    public ServerServiceDefinition service() {
        return StreamService.define(
                HoldfastLeadersGrpc.getFollowMethod(), FollowMessage.getDefaultInstance(), this::accept);
    }

    /** Of the first cell; what is older than known is ignored. */
    public void leaderKnown(@Nullable String leader, long term) {
        leaderKnown(first, leader, term);
    }

    /** The same of any cell. */
    public void leaderKnown(String cell, @Nullable String leader, long term) {
        executor.execute(() -> {
            CellLeader before = cells.get(cell);
            if (before != null && term >= before.term()) {
                cells.put(cell, new CellLeader(cell, term, leader));
                tellAll();
            }
        });
    }

    private void beat() {
        readers.forEach(reader -> reader.beatsUnasked++);
        tellAll();
    }

    private void tellAll() {
        if (!readers.isEmpty()) {
            LeadersMessage message =
                    LeadersCodec.encode(new LeadersView(deployment, replica, List.copyOf(cells.values())));
            readers.removeIf(reader -> !reader.tell(message));
        }
    }

    private StreamObserver<FollowMessage> accept(StreamObserver<LeadersMessage> answers) {
        Reader reader = new Reader((ServerCallStreamObserver<LeadersMessage>) answers);
        reader.call.setOnCancelHandler(() -> executor.execute(reader::gone));
        reader.call.setOnCloseHandler(() -> executor.execute(reader::gone));
        return reader;
    }

    @Override
    public void close() {
        beat.cancel(false);
        executor.execute(() -> {
            readers.forEach(reader -> reader.end(Status.UNAVAILABLE.withDescription(replica + " is shutting down")));
            readers.clear();
        });
    }

    /** One that asks. */
    private final class Reader implements StreamObserver<FollowMessage> {
        private final ServerCallStreamObserver<LeadersMessage> call;
        /** The executor's. */
        private int beatsUnasked;
        /** Nothing is told to it any more. The executor's. */
        private boolean ended;

        Reader(ServerCallStreamObserver<LeadersMessage> call) {
            this.call = call;
        }

        @Override
        public void onNext(FollowMessage message) {
            executor.execute(() -> asked(message.getVersion()));
        }

        private void asked(int version) {
            if (ended) {
                return;
            }
            try {
                Fields.checkVersion(version);
            } catch (MalformedFrameException wrong) {
                readers.remove(this);
                end(Status.INVALID_ARGUMENT.withDescription(wrong.problem()));
                return;
            }
            beatsUnasked = 0;
            if (readers.size() >= MAX_READERS && !readers.contains(this)) {
                end(Status.RESOURCE_EXHAUSTED.withDescription(replica + " tells " + MAX_READERS + " proxies already"));
            } else if (readers.add(this)) {
                tellAll();
            }
        }

        /** False if it has gone. */
        boolean tell(LeadersMessage message) {
            if (ended || call.isCancelled()) {
                return false;
            }
            if (call.isReady() && beatsUnasked <= MAX_BEATS_UNASKED) {
                call.onNext(message);
            }
            return true;
        }

        private void gone() {
            ended = true;
            readers.remove(this);
        }

        /** Whoever calls takes it from the readers. */
        void end(Status status) {
            ended = true;
            if (!call.isCancelled()) {
                call.onError(status.asRuntimeException());
            }
        }

        @Override
        public void onError(Throwable cause) {
            executor.execute(this::gone);
        }

        /** It has nothing more to say, and still listens. */
        @Override
        public void onCompleted() {}
    }
}
