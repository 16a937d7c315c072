package io.holdfast.client.grpc;

import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.StreamListener;
import io.holdfast.protocol.codec.ClientCodec;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.codec.ServerCodec;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.proto.ClientMessage;
import io.holdfast.protocol.proto.ServerMessage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call on a channel of its own.
 *
 * <p><b>Thread:</b> {@link #send} one at a time (the client's loop), {@link #close} any, the listener the network thread's.
 */
final class GrpcStream extends ClientCall.Listener<ServerMessage> implements ClientStream {
    private static final Logger log = LoggerFactory.getLogger(GrpcStream.class);

    private final ManagedChannel channel;
    private final ClientCall<ClientMessage, ServerMessage> call;
    private final StreamListener listener;
    private final Consumer<GrpcStream> whenEnded;
    private final AtomicBoolean over = new AtomicBoolean();
    private boolean opened;

    GrpcStream(
            ManagedChannel channel,
            ClientCall<ClientMessage, ServerMessage> call,
            StreamListener listener,
            Consumer<GrpcStream> whenEnded) {
        this.channel = channel;
        this.call = call;
        this.listener = listener;
        this.whenEnded = whenEnded;
    }

    @Override
    public void send(ClientFrame frame) {
        if (over.get()) {
            return;
        }
        try {
            call.sendMessage(ClientCodec.encode(frame));
        } catch (IllegalStateException e) {
            log.debug("a frame came too late for its stream", e); // it was closed in between; the machine hears of that
        }
    }

    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            call.cancel("the client goes elsewhere", null);
            channel.shutdownNow();
        }
    }

    void awaitEnd(long nanos) throws InterruptedException {
        channel.awaitTermination(nanos, TimeUnit.NANOSECONDS);
        whenEnded.accept(this);
    }

    @Override
    public void onReady() {
        if (!opened) {
            opened = true;
            listener.opened();
        }
    }

    @Override
    public void onMessage(ServerMessage message) {
        if (over.get()) {
            return;
        }
        try {
            listener.frame(ServerCodec.decode(message));
            call.request(1);
        } catch (MalformedFrameException e) {
            log.warn("{} sent a frame that cannot be read: {}", channel.authority(), e.getMessage());
            end("sent a frame that cannot be read: " + e.getMessage());
        }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        end(reason(status));
        whenEnded.accept(this);
    }

    private void end(String reason) {
        if (over.compareAndSet(false, true)) {
            call.cancel(reason, null);
            channel.shutdownNow();
            listener.closed(reason);
        }
    }

    private static String reason(Status status) {
        if (status.isOk()) {
            return "the server ended the stream";
        }
        String description = status.getDescription();
        Throwable root = rootOf(status.getCause());
        String cause = root == null || root.getMessage() == null ? "" : root.getMessage();
        String said = description == null ? status.getCode().name() : description;
        return cause.isEmpty() || said.contains(cause) ? said : said + ": " + cause;
    }

    private static @Nullable Throwable rootOf(@Nullable Throwable thrown) {
        Throwable root = thrown;
        while (root != null && root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }
}
