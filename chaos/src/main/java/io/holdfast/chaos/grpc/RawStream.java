package io.holdfast.chaos.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.holdfast.protocol.codec.ClientCodec;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.codec.ServerCodec;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.grpc.Target;
import io.holdfast.protocol.proto.ClientMessage;
import io.holdfast.protocol.proto.HoldfastClientGrpc;
import io.holdfast.protocol.proto.ServerMessage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One stream to one replica on a connection of its own. It pings nobody and gives nothing up: it lasts until a side closes it.
 *
 * <p><b>Thread:</b> any; the listener is told in order, on a thread of the network.
 */
public final class RawStream implements AutoCloseable {
    private final ManagedChannel channel;
    private final ClientCall<ClientMessage, ServerMessage> call;
    private final AtomicBoolean over = new AtomicBoolean();

    /** Hears what the replica says. */
    public interface Listener {
        void frame(ServerFrame frame);

        /** The stream is gone; nothing follows. Not told after {@link RawStream#close}. */
        void closed(String reason);
    }

    /** @param address {@code host:port} */
    public RawStream(String address, Listener listener) {
        channel = NettyChannelBuilder.forTarget(Target.of(address))
                .directExecutor()
                .usePlaintext()
                .disableRetry()
                .proxyDetector(target -> null)
                .build();
        call = channel.newCall(HoldfastClientGrpc.getStreamMethod(), CallOptions.DEFAULT);
        call.start(new Hearing(listener), new Metadata());
        call.request(Integer.MAX_VALUE);
    }

    /** Kept until there is a connection; dropped when the stream has ended. */
    public synchronized void send(ClientFrame frame) {
        if (!over.get()) {
            try {
                call.sendMessage(ClientCodec.encode(frame));
            } catch (IllegalStateException ended) {
                // The listener hears of it.
            }
        }
    }

    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            call.cancel("closed", null);
        }
        channel.shutdownNow();
    }

    private final class Hearing extends ClientCall.Listener<ServerMessage> {
        private final Listener listener;

        Hearing(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void onMessage(ServerMessage message) {
            try {
                listener.frame(ServerCodec.decode(message));
            } catch (MalformedFrameException broken) {
                throw new IllegalStateException("a replica sent what cannot be read", broken);
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (over.compareAndSet(false, true)) {
                channel.shutdownNow();
                listener.closed(status.toString());
            }
        }
    }
}
