package io.holdfast.replica.grpc;

import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.holdfast.model.Limits;
import io.holdfast.protocol.grpc.Backoff;
import io.holdfast.protocol.grpc.Outbound;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.proto.HoldfastPeerGrpc;
import io.holdfast.protocol.proto.PeerMessage;
import io.holdfast.replica.LoopInput;
import io.holdfast.replica.PeerFrame;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream to one peer at one address, dialled again whenever it ends.
 *
 * <p><b>Thread:</b> any may send or close; everything else runs on one network thread.
 */
final class PeerLink {
    private static final Logger log = LoggerFactory.getLogger(PeerLink.class);

    /** Longest time that an attempt may take until the connection stands. */
    private static final long MAX_DIAL_MILLIS = 16_000;

    private final String peer;
    private final String address;
    private final WireThreads threads;
    private final ScheduledExecutorService executor;
    private final Outbound.Bounds bounds;
    private final Consumer<LoopInput> mailbox;
    private final long tickMillis;
    /** How long the first attempt may take until the connection stands. */
    private final long minDialMillis;

    /** Executor only. */
    private final Backoff backoff = new Backoff();
    /**
     * Executor only: how long the next attempt may take; doubled after one that took too long, as on a busy machine
     * connecting takes seconds and beginning again takes longer.
     */
    private long dialMillis;
    /** What is sent goes here; null while there is no connection. */
    private volatile @Nullable Outbound<PeerFrame> outbound;
    /** The present attempt; written on the executor. */
    private @Nullable Attempt attempt;

    private volatile boolean closed;

    PeerLink(
            String peer,
            String address,
            WireThreads threads,
            long maxWaitingBytes,
            long silenceMillis,
            Consumer<LoopInput> mailbox) {
        this.peer = peer;
        this.address = address;
        this.threads = threads;
        this.executor = threads.next();
        this.bounds = new Outbound.Bounds(maxWaitingBytes, 64, Limits.MAX_BATCH_BYTES);
        this.mailbox = mailbox;
        this.tickMillis = LinkWatch.tickMillis(silenceMillis);
        this.minDialMillis = silenceMillis;
        this.dialMillis = silenceMillis;
    }

    String address() {
        return address;
    }

    void connect() {
        onExecutor(this::dial);
    }

    /** Sends if there is a connection and room, else drops. */
    void send(PeerFrame frame) {
        Outbound<PeerFrame> to = outbound;
        if (to != null && !to.offer(frame, PeerCodec.sizeOf(frame))) {
            log.debug("dropped a frame to {}: too much waits", peer);
        }
    }

    /** Ends the connection without posting that it ended. */
    void close() {
        closed = true;
        outbound = null;
        onExecutor(() -> {
            Attempt present = attempt;
            attempt = null;
            if (present != null) {
                present.discard();
            }
        });
    }

    private void dial() {
        if (closed) {
            return;
        }
        Attempt next = new Attempt();
        attempt = next;
        next.begin();
        long patienceMillis = dialMillis;
        later(patienceMillis, () -> next.requireEstablished(patienceMillis));
    }

    private void ended(Attempt which, boolean wasEstablished, String why) {
        if (attempt != which) {
            return;
        }
        attempt = null;
        outbound = null;
        which.discard();
        if (closed) {
            return;
        }
        log.debug("connection to peer {} at {} ended: {}", peer, address, why);
        if (wasEstablished) {
            mailbox.accept(new LoopInput.PeerClosed(peer));
        }
        later(backoff.nextDelayMillis(), this::dial);
    }

    private void later(long delayMillis, Runnable task) {
        try {
            var unused = executor.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            closed = true;
        }
    }

    private void onExecutor(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            closed = true;
        }
    }

    /** One connection, from dialling to its end. */
    private final class Attempt implements ClientResponseObserver<PeerMessage, PeerMessage>, Outbound.Wire<PeerFrame> {
        private final ManagedChannel channel = threads.peerChannel(address);
        private final LinkWatch watch = new LinkWatch();
        private @Nullable ClientCallStreamObserver<PeerMessage> call;
        private @Nullable Outbound<PeerFrame> queue;

        void begin() {
            var unused = HoldfastPeerGrpc.newStub(channel).exchange(this);
        }

        void discard() {
            if (queue != null) {
                queue.cancel();
            }
            channel.shutdownNow();
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<PeerMessage> stream) {
            call = stream;
            stream.setOnReadyHandler(() -> onExecutor(this::ready));
        }

        /** The first time the stream takes messages, the connection stands. */
        private void ready() {
            if (attempt != this) {
                return;
            }
            if (queue == null) {
                backoff.reset();
                dialMillis = minDialMillis;
                later(tickMillis, this::tick);
                queue = new Outbound<>(executor, bounds, this);
                outbound = closed ? null : queue;
            }
            watch.heard(); // it took what it had
            queue.flowing();
        }

        private void requireEstablished(long patienceMillis) {
            if (attempt == this && queue == null) {
                dialMillis = Math.max(dialMillis, Math.min(MAX_DIAL_MILLIS, 2 * dialMillis));
                ended(this, false, "it does not stand after " + patienceMillis + " ms");
            }
        }

        /** The peer may live: nothing is posted, as nothing says that it has ended. */
        private void tick() {
            if (attempt != this) {
                return;
            }
            if (!isReady()) {
                watch.sent(); // something waits to be taken
            }
            if (watch.tick()) {
                ended(this, false, "nothing is heard from it");
            } else {
                later(tickMillis, this::tick);
            }
        }

        /** Something that was sent has arrived. */
        @Override
        public void onNext(PeerMessage empty) {
            watch.heard();
        }

        @Override
        public void onError(Throwable cause) {
            onExecutor(() -> ended(this, queue != null, String.valueOf(cause.getMessage())));
        }

        @Override
        public void onCompleted() {
            onExecutor(() -> ended(this, queue != null, "the peer ended the stream"));
        }

        @Override
        public boolean isReady() {
            return call != null && call.isReady();
        }

        @Override
        public void write(List<PeerFrame> frames) {
            ClientCallStreamObserver<PeerMessage> stream = call;
            if (stream == null) {
                return;
            }
            watch.sent();
            for (PeerFrame frame : frames) {
                for (PeerMessage message : PeerCodec.encode(frame)) {
                    if (message.getSerializedSize() > WireThreads.MAX_MESSAGE_BYTES) {
                        log.error(
                                "a bug: a message of {} bytes to {} is dropped, as the limit is {}; the cell may commit nothing more",
                                message.getSerializedSize(),
                                peer,
                                WireThreads.MAX_MESSAGE_BYTES);
                    } else {
                        stream.onNext(message);
                    }
                }
            }
        }

        @Override
        public void complete() {}

        @Override
        public void failed(RuntimeException cause) {
            ended(this, true, String.valueOf(cause.getMessage()));
        }
    }
}
