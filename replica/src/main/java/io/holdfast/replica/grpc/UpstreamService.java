package io.holdfast.replica.grpc;

import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.protocol.codec.Fields;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.codec.UpstreamCodec;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.FrameSize;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.grpc.Outbound;
import io.holdfast.protocol.grpc.StreamService;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.proto.DownMessage;
import io.holdfast.protocol.proto.HoldfastUpstreamGrpc;
import io.holdfast.protocol.proto.UpFrame;
import io.holdfast.protocol.proto.UpMessage;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves links from front ends in other processes.
 *
 * <p><b>Thread:</b> network threads; each link one at a time.
 */
public final class UpstreamService {
    private static final Logger log = LoggerFactory.getLogger(UpstreamService.class);

    /** Default bound of what waits for one front end. */
    public static final long DEFAULT_MAX_WAITING_BYTES = 16L << 20;

    private static final String TOO_MUCH = "too much waits for this front end: read again";

    private final UpstreamLinks links;
    private final WireThreads threads;
    private final Outbound.Bounds bounds;

    public UpstreamService(UpstreamLinks links, WireThreads threads) {
        this(links, threads, DEFAULT_MAX_WAITING_BYTES);
    }

    /** @param maxWaitingBytes for each link; one for which more would wait is cut off, and reads are refused from half of it on */
    public UpstreamService(UpstreamLinks links, WireThreads threads, long maxWaitingBytes) {
        this.links = links;
        this.threads = threads;
        this.bounds = new Outbound.Bounds(maxWaitingBytes, 512, Limits.MAX_BATCH_BYTES);
    }

    /** Goes into the server on the peer port. */
    public ServerServiceDefinition service() {
        return StreamService.define(HoldfastUpstreamGrpc.getLinkMethod(), UpMessage.getDefaultInstance(), this::accept);
    }

    private StreamObserver<UpMessage> accept(StreamObserver<DownMessage> answers) {
        ServerCallStreamObserver<DownMessage> call = (ServerCallStreamObserver<DownMessage>) answers;
        Link link = new Link(call);
        call.setOnReadyHandler(link.outbound::flowing);
        call.setOnCancelHandler(link::gone);
        return link;
    }

    /** Reads of many clients may be more than a link takes: one of them is refused rather than all of them cut off. */
    private static DownstreamFrame withoutRead(DownstreamFrame frame) {
        if (frame instanceof DownstreamFrame.FromCell other) {
            return new DownstreamFrame.FromCell(other.cell(), withoutRead(other.frame()));
        }
        if (frame instanceof DownstreamFrame.Deliver deliver
                && deliver.frame() instanceof ServerFrame.ReadReply reply) {
            return new DownstreamFrame.Deliver(
                    deliver.stream(), new ServerFrame.Refused(reply.callId(), ErrorCode.BUSY, true, TOO_MUCH));
        }
        return frame;
    }

    /** One link. */
    private final class Link implements StreamObserver<UpMessage>, UpstreamLinks.Port, Outbound.Wire<DownstreamFrame> {
        private final ServerCallStreamObserver<DownMessage> call;
        private final Executor executor = threads.next();
        private final Outbound<DownstreamFrame> outbound = new Outbound<>(executor, bounds, this);
        private final long number;

        Link(ServerCallStreamObserver<DownMessage> call) {
            this.call = call;
            this.number = links.register(this);
        }

        @Override
        public void onNext(UpMessage message) {
            try {
                Fields.checkVersion(message.getVersion());
                for (UpFrame frame : message.getFramesList()) {
                    receive(frame);
                }
            } catch (MalformedFrameException e) {
                log.warn("refused a front end's message: {}", e.problem());
                links.ended(number);
                end(Status.INVALID_ARGUMENT.withDescription(e.problem()));
            }
        }

        private void receive(UpFrame frame) throws MalformedFrameException {
            try {
                links.received(number, UpstreamCodec.decode(frame));
            } catch (MalformedFrameException e) {
                if (!e.refusable()) {
                    throw e;
                }
                DownstreamFrame refusal =
                        new DownstreamFrame.Deliver(frame.getForward().getStream(), e.refusal());
                String cell = frame.getCell();
                links.send(number, cell.isEmpty() ? refusal : new DownstreamFrame.FromCell(cell, refusal));
            }
        }

        @Override
        public void onError(Throwable cause) {
            gone();
        }

        @Override
        public void onCompleted() {
            links.ended(number);
            outbound.close();
        }

        private void gone() {
            links.ended(number);
            outbound.cancel();
        }

        @Override
        public boolean deliver(DownstreamFrame frame) {
            int size = FrameSize.of(frame);
            if (outbound.waitingBytes() + size <= bounds.maxBytes() / 2) {
                return outbound.offer(frame, size);
            }
            DownstreamFrame instead = withoutRead(frame);
            return outbound.offer(instead, FrameSize.of(instead));
        }

        @Override
        public void close() {
            outbound.close();
        }

        @Override
        public void cut(String reason) {
            end(Status.RESOURCE_EXHAUSTED.withDescription(reason));
        }

        /** Drops what waits and ends the call; on the executor, as gRPC wants one writer at a time. */
        private void end(Status status) {
            outbound.cancel();
            executor.execute(() -> {
                if (!call.isCancelled()) {
                    call.onError(status.asRuntimeException());
                }
            });
        }

        @Override
        public boolean isReady() {
            return call.isReady();
        }

        @Override
        public void write(List<DownstreamFrame> frames) {
            for (DownMessage message : UpstreamCodec.encodeDown(frames)) {
                call.onNext(message);
            }
        }

        @Override
        public void complete() {
            call.onCompleted();
        }

        @Override
        public void failed(RuntimeException cause) {
            links.ended(number);
        }
    }
}
