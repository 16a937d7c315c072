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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call on a channel of its own.
 *
 * <p><b>Thread:</b> any; the listener is called on the network thread or the one that looked the name up.
 */
final class GrpcStream extends ClientCall.Listener<ServerMessage> implements ClientStream {
    private static final Logger log = LoggerFactory.getLogger(GrpcStream.class);

    private final StreamListener listener;
    private final Consumer<GrpcStream> whenEnded;
    private final AtomicBoolean over = new AtomicBoolean();
    /** Sent before there was a call. Guarded by this. */
    private final List<ClientFrame> early = new ArrayList<>();
    /** Guarded by this, like {@link #call}; null while the name is looked up. */
    private @Nullable ManagedChannel channel;

    private @Nullable ClientCall<ClientMessage, ServerMessage> call;
    /** Writer: network thread. */
    private boolean opened;

    GrpcStream(StreamListener listener, Consumer<GrpcStream> whenEnded) {
        this.listener = listener;
        this.whenEnded = whenEnded;
    }

    /** Starts the call; from here on the channel is this stream's. */
    synchronized void connect(ManagedChannel newChannel, ClientCall<ClientMessage, ServerMessage> newCall) {
        if (over.get()) {
            newChannel.shutdownNow();
            whenEnded.accept(this); // given up while its name was looked up
            return;
        }
        channel = newChannel;
        call = newCall;
        newCall.start(this, new Metadata());
        newCall.request(1);
        early.forEach(frame -> send(newCall, frame));
        early.clear();
    }

    @Override
    public synchronized void send(ClientFrame frame) {
        if (over.get()) {
            return;
        }
        if (call == null) {
            early.add(frame);
        } else {
            send(call, frame);
        }
    }

    private static void send(ClientCall<ClientMessage, ServerMessage> call, ClientFrame frame) {
        try {
            call.sendMessage(ClientCodec.encode(frame));
        } catch (IllegalStateException e) {
            log.debug("a frame came too late for its stream", e); // it was closed in between; the machine hears of that
        }
    }

    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            cancel("the client goes elsewhere");
        }
    }

    private synchronized void cancel(String reason) {
        if (call != null) {
            call.cancel(reason, null);
        }
        if (channel != null) {
            channel.shutdownNow();
        }
    }

    void awaitEnd(long nanos) throws InterruptedException {
        ManagedChannel ending = channel();
        if (ending != null) {
            ending.awaitTermination(nanos, TimeUnit.NANOSECONDS);
        }
        whenEnded.accept(this);
    }

    private synchronized @Nullable ManagedChannel channel() {
        return channel;
    }

    private synchronized void requestNext() {
        if (call != null) {
            call.request(1);
        }
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
            requestNext();
        } catch (MalformedFrameException e) {
            log.warn("a cell sent a frame that cannot be read: {}", e.getMessage());
            end("sent a frame that cannot be read: " + e.getMessage());
        }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        end(reason(status));
        whenEnded.accept(this);
    }

    /** The stream failed: tells the listener, unless it was closed here. */
    void end(String reason) {
        if (over.compareAndSet(false, true)) {
            cancel(reason);
            listener.closed(reason);
        }
        if (channel() == null) {
            whenEnded.accept(this);
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
