package io.holdfast.proxy.grpc;

import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.holdfast.model.Limits;
import io.holdfast.protocol.codec.Fields;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.codec.UpstreamCodec;
import io.holdfast.protocol.frame.FrameSize;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.grpc.Outbound;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.link.LinkListener;
import io.holdfast.protocol.link.UpstreamConnection;
import io.holdfast.protocol.link.UpstreamDialer;
import io.holdfast.protocol.proto.DownFrame;
import io.holdfast.protocol.proto.DownMessage;
import io.holdfast.protocol.proto.HoldfastUpstreamGrpc;
import io.holdfast.protocol.proto.UpMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Links to leaders in other processes. Each dialling takes a new connection, so names are looked up anew (C116).
 *
 * <p><b>Thread:</b> any.
 */
public final class GrpcUpstream implements UpstreamDialer {
    /** Default bound of what waits for the leader; a link for which more would wait is ended. */
    public static final long DEFAULT_MAX_WAITING_BYTES = 64L << 20;

    private final WireThreads threads;
    private final Outbound.Bounds bounds;
    private final Map<String, String> addresses = new ConcurrentHashMap<>();
    private final boolean listening;

    public GrpcUpstream(WireThreads threads) {
        this(threads, DEFAULT_MAX_WAITING_BYTES);
    }

    public GrpcUpstream(WireThreads threads, long maxWaitingBytes) {
        this(threads, maxWaitingBytes, false);
    }

    private GrpcUpstream(WireThreads threads, long maxWaitingBytes, boolean listening) {
        this.listening = listening;
        this.threads = threads;
        this.bounds = new Outbound.Bounds(maxWaitingBytes, 512, Limits.MAX_BATCH_BYTES);
    }

    /**
     * For a process that is no replica, and so hears of a frozen or cut off leader by nothing else: links to client ports, each of
     * which is given up when its other end has said nothing for two seconds ({@link Following}).
     */
    public static GrpcUpstream listening(WireThreads threads) {
        return new GrpcUpstream(threads, DEFAULT_MAX_WAITING_BYTES, true);
    }

    /**
     * Sets where a replica takes links, at its peer port or its client port; counts from the next dialling.
     *
     * @param address {@code host:port}; an IPv6 host in brackets
     */
    public void setReplica(String name, String address) {
        addresses.put(name, address);
    }

    @Override
    public UpstreamConnection dial(String replica, LinkListener listener) {
        String address = addresses.get(replica);
        if (address == null) {
            listener.closed("no address is known for replica " + replica);
            return new NoConnection();
        }
        Link link = new Link(listening ? threads.peerChannel(address) : threads.channel(address), listener);
        var unused = HoldfastUpstreamGrpc.newStub(link.channel).link(link);
        if (listening) {
            link.listen();
        }
        return link;
    }

    private static final class NoConnection implements UpstreamConnection {
        @Override
        public void send(UpstreamFrame frame) {}

        @Override
        public void close() {}
    }

    /** One connection. */
    private final class Link
            implements UpstreamConnection,
                    ClientResponseObserver<UpMessage, DownMessage>,
                    Outbound.Wire<UpstreamFrame> {
        private final ManagedChannel channel;
        private final LinkListener listener;
        private final ScheduledExecutorService beats = threads.next();
        private final Executor executor = beats;
        private final Outbound<UpstreamFrame> outbound = new Outbound<>(executor, bounds, this);
        private final AtomicBoolean opened = new AtomicBoolean();
        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile @Nullable ClientCallStreamObserver<UpMessage> call;
        private volatile @Nullable Following pulse;

        Link(ManagedChannel channel, LinkListener listener) {
            this.channel = channel;
            this.listener = listener;
        }

        /** On the same connection, so that what is heard says that this one works. */
        void listen() {
            beats.execute(() -> {
                if (ended.get()) {
                    return;
                }
                pulse = Following.start(channel, beats, new Following.Listener() {
                    @Override
                    public void heard(LeadersView view) {}

                    @Override
                    public void ended(String reason) {
                        end("the leader cannot be heard: " + reason);
                    }
                });
            });
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<UpMessage> stream) {
            call = stream;
            stream.setOnReadyHandler(() -> {
                if (opened.compareAndSet(false, true)) {
                    listener.opened();
                }
                outbound.flowing();
            });
        }

        @Override
        public void onNext(DownMessage message) {
            if (ended.get()) {
                return;
            }
            try {
                Fields.checkVersion(message.getVersion());
                for (DownFrame frame : message.getFramesList()) {
                    listener.received(UpstreamCodec.decode(frame));
                }
            } catch (MalformedFrameException e) {
                end("the leader sent what cannot be read: " + e.problem());
            }
        }

        @Override
        public void onError(Throwable cause) {
            end(String.valueOf(cause.getMessage()));
        }

        @Override
        public void onCompleted() {
            end("the leader ended it");
        }

        @Override
        public void send(UpstreamFrame frame) {
            if (!outbound.offer(frame, FrameSize.of(frame))) {
                end("too much waits for the leader");
            }
        }

        @Override
        public void close() {
            if (ended.compareAndSet(false, true)) {
                discard();
            }
        }

        private void end(String reason) {
            if (ended.compareAndSet(false, true)) {
                discard();
                listener.closed(reason);
            }
        }

        private void discard() {
            outbound.cancel();
            Following present = pulse;
            if (present != null) {
                present.stop();
            }
            channel.shutdownNow();
        }

        @Override
        public boolean isReady() {
            ClientCallStreamObserver<UpMessage> stream = call;
            return stream != null && stream.isReady();
        }

        @Override
        public void write(List<UpstreamFrame> frames) {
            ClientCallStreamObserver<UpMessage> stream = call;
            if (stream != null) {
                UpstreamCodec.encodeUp(frames).forEach(stream::onNext);
            }
        }

        @Override
        public void complete() {}

        @Override
        public void failed(RuntimeException cause) {
            end(String.valueOf(cause.getMessage()));
        }
    }
}
