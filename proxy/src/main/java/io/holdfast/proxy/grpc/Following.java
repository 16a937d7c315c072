package io.holdfast.proxy.grpc;

import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.protocol.codec.LeadersCodec;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.proto.FollowMessage;
import io.holdfast.protocol.proto.HoldfastLeadersGrpc;
import io.holdfast.protocol.proto.LeadersMessage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listens on one connection to what a replica says of who leads, and notices when it says nothing any more.
 *
 * <p>It counts ticks, not time: time in which this process stood still is one tick, however long it was (R1.3).
 *
 * <p><b>Thread:</b> {@link #start} on the executor, {@link #stop} on any; the listener is called on the executor.
 */
final class Following implements ClientResponseObserver<FollowMessage, LeadersMessage> {
    /** A replica speaks more often than this. */
    private static final long TICK_MILLIS = 500;
    /** Ticks without a word after which the connection is given up; the first word has as long. */
    private static final int SILENT_TICKS = 4;

    /** Hears what is said. */
    interface Listener {
        void heard(LeadersView view);

        /** Nothing more will be heard; once, and not after {@link Following#stop}. */
        void ended(String reason);
    }

    private final Listener listener;
    private final ScheduledExecutorService executor;
    private @Nullable ScheduledFuture<?> ticks;
    private @Nullable ClientCallStreamObserver<FollowMessage> call;
    /** The executor's. */
    private @Nullable StreamObserver<FollowMessage> asking;

    private int silentTicks;
    private volatile boolean ended;

    private Following(Listener listener, ScheduledExecutorService executor) {
        this.listener = listener;
        this.executor = executor;
    }

    /**
     * Begins to listen.
     *
     * @param channel to a replica's client port; stays the caller's
     * @param executor one of the network's threads; call this on it
     */
    static Following start(ManagedChannel channel, ScheduledExecutorService executor, Listener listener) {
        Following following = new Following(listener, executor);
        following.ticks =
                executor.scheduleWithFixedDelay(following::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        following.asking = HoldfastLeadersGrpc.newStub(channel).follow(following);
        following.ask();
        return following;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<FollowMessage> stream) {
        call = stream;
    }

    @Override
    public void onNext(LeadersMessage message) {
        post(() -> said(message));
    }

    /** The network may have more threads than the executor's. */
    private void post(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException networkEnded) {
            ended = true;
        }
    }

    private void said(LeadersMessage message) {
        if (ended) {
            return;
        }
        silentTicks = 0;
        try {
            listener.heard(LeadersCodec.decode(message));
        } catch (MalformedFrameException wrong) {
            end("it said what cannot be read: " + wrong.problem());
        }
    }

    @Override
    public void onError(Throwable cause) {
        post(() -> end(String.valueOf(cause.getMessage())));
    }

    @Override
    public void onCompleted() {
        post(() -> end("it ended"));
    }

    private void tick() {
        if (++silentTicks >= SILENT_TICKS) {
            end("it has said nothing for " + SILENT_TICKS * TICK_MILLIS + " ms");
        } else {
            ask();
        }
    }

    /** Again with each tick: a replica that is not asked falls silent, so a path that is cut one way is silent both ways. */
    private void ask() {
        StreamObserver<FollowMessage> stream = asking;
        if (stream != null) {
            stream.onNext(LeadersCodec.ask());
        }
    }

    private void end(String reason) {
        if (!ended) {
            stop();
            listener.ended(reason);
        }
    }

    /** Nothing is heard any more. */
    void stop() {
        ended = true;
        ScheduledFuture<?> present = ticks;
        if (present != null) {
            present.cancel(false);
        }
        ClientCallStreamObserver<FollowMessage> stream = call;
        if (stream != null) {
            stream.cancel("no longer needed", null);
        }
    }
}
