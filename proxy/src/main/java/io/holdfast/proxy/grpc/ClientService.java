package io.holdfast.proxy.grpc;

import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.model.Limits;
import io.holdfast.protocol.codec.ClientCodec;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.codec.ServerCodec;
import io.holdfast.protocol.frame.FrameSize;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.grpc.Outbound;
import io.holdfast.protocol.grpc.StreamService;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.proto.ClientMessage;
import io.holdfast.protocol.proto.HoldfastClientGrpc;
import io.holdfast.protocol.proto.ServerMessage;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves clients' streams and hands them to the front end.
 *
 * <p>A client may send {@link #WINDOW} frames ahead of the front end; gRPC's flow control holds back the rest. What waits
 * for a client is bounded by bytes: one that does not read is cut off, and then only loses its connection.
 *
 * <p><b>Thread:</b> network threads; each stream one at a time.
 */
public final class ClientService {
    /** Default bound of what waits for one client. */
    public static final long DEFAULT_MAX_WAITING_BYTES = 4L << 20;

    static final int WINDOW = 64;

    private static final Logger log = LoggerFactory.getLogger(ClientService.class);

    private final FrontEndLoop loop;
    private final WireThreads threads;
    private final Outbound.Bounds bounds;
    private final AtomicLong slowClients = new AtomicLong();

    public ClientService(FrontEndLoop loop, WireThreads threads) {
        this(loop, threads, DEFAULT_MAX_WAITING_BYTES);
    }

    /** @param maxWaitingBytes for each client; one for which more would wait is cut off */
    public ClientService(FrontEndLoop loop, WireThreads threads, long maxWaitingBytes) {
        this.loop = loop;
        this.threads = threads;
        this.bounds = new Outbound.Bounds(maxWaitingBytes, 64, Limits.MAX_BATCH_BYTES);
    }

    /** Goes into the server on the client port. */
    public ServerServiceDefinition service() {
        return StreamService.define(
                HoldfastClientGrpc.getStreamMethod(), ClientMessage.getDefaultInstance(), this::accept);
    }

    /** Clients that were cut off so far as they read too slowly. */
    public long slowClients() {
        return slowClients.get();
    }

    private StreamObserver<ClientMessage> accept(StreamObserver<ServerMessage> answers) {
        ServerCallStreamObserver<ServerMessage> call = (ServerCallStreamObserver<ServerMessage>) answers;
        Client client = new Client(call);
        call.setOnReadyHandler(client.outbound::flowing);
        call.setOnCancelHandler(client::gone);
        call.disableAutoRequest();
        call.request(WINDOW);
        return client;
    }

    /** One client's stream. */
    private final class Client implements StreamObserver<ClientMessage>, ClientSink, Outbound.Wire<ServerFrame> {
        private final ServerCallStreamObserver<ServerMessage> call;
        private final Executor executor = threads.next();
        private final Outbound<ServerFrame> outbound = new Outbound<>(executor, bounds, this);
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicInteger taken = new AtomicInteger();
        private final long stream;

        Client(ServerCallStreamObserver<ServerMessage> call) {
            this.call = call;
            this.stream = loop.clientOpened(this);
        }

        @Override
        public void onNext(ClientMessage message) {
            if (ended.get()) {
                return;
            }
            try {
                loop.clientFrame(stream, ClientCodec.decode(message), this::taken);
            } catch (MalformedFrameException e) {
                if (e.refusable()) {
                    loop.clientRefused(stream, e.refusal(), this::taken);
                } else {
                    end(Status.INVALID_ARGUMENT.withDescription(e.problem()));
                }
            }
        }

        /** Asks for more in portions. */
        private void taken() {
            if (taken.incrementAndGet() == WINDOW / 2) {
                taken.set(0);
                call.request(WINDOW / 2);
            }
        }

        @Override
        public void onError(Throwable cause) {
            gone();
        }

        /** A client that has nothing more to say is a client that goes. */
        @Override
        public void onCompleted() {
            if (ended.compareAndSet(false, true)) {
                loop.clientClosed(stream);
                outbound.close();
            }
        }

        private void gone() {
            if (ended.compareAndSet(false, true)) {
                loop.clientClosed(stream);
            }
            outbound.cancel();
        }

        private void end(Status status) {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            loop.clientClosed(stream);
            outbound.cancel();
            finish(status);
        }

        /** Ends the call; on the executor, as gRPC wants one writer at a time. */
        private void finish(Status status) {
            executor.execute(() -> {
                if (!call.isCancelled()) {
                    call.onError(status.asRuntimeException());
                }
            });
        }

        @Override
        public void send(ServerFrame frame) {
            if (!outbound.offer(frame, FrameSize.of(frame)) && !ended.get()) {
                slowClients.incrementAndGet();
                log.info("client stream {} reads too slowly and is cut off", stream);
                end(Status.RESOURCE_EXHAUSTED.withDescription(
                        "the client reads too slowly: more than " + bounds.maxBytes() + " bytes wait for it"));
            }
        }

        @Override
        public void close(String reason) {
            if (ended.compareAndSet(false, true)) {
                loop.clientClosed(stream);
                finish(Status.UNAVAILABLE.withDescription(reason));
            }
        }

        @Override
        public boolean isReady() {
            return call.isReady();
        }

        @Override
        public void write(List<ServerFrame> frames) {
            for (ServerFrame frame : frames) {
                call.onNext(ServerCodec.encode(frame));
            }
        }

        @Override
        public void complete() {
            call.onCompleted();
        }

        @Override
        public void failed(RuntimeException cause) {
            gone();
        }
    }
}
