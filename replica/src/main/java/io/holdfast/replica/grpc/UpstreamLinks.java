package io.holdfast.replica.grpc;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.FrameSize;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.replica.LoopInput;
import io.holdfast.replica.UpstreamSink;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All links from front ends to this replica's loop, whichever way they come. Numbers them, posts what arrives, and cuts off
 * a link that takes its frames too slowly, which then hurts nobody else.
 *
 * <p><b>Thread:</b> any. <b>Invariants:</b> (1) a number is never used twice; (2) after {@link LoopInput.UpstreamClosed} of
 * a link nothing more is posted for it; it is posted once, unless the loop closed the link itself.
 */
public final class UpstreamLinks implements UpstreamSink {
    private static final Logger log = LoggerFactory.getLogger(UpstreamLinks.class);

    /** The way back to a front end. */
    interface Port {
        /** Sends in order; false if too much waits. */
        boolean deliver(DownstreamFrame frame);

        /** Ends the link after what was delivered. */
        void close();

        /** Ends the link at once. */
        void cut(String reason);
    }

    private final AtomicLong lastLink = new AtomicLong();
    private final Map<Long, Port> ports = new ConcurrentHashMap<>();
    private volatile @Nullable Consumer<LoopInput> mailbox;

    /** From now on what arrives goes to {@code loopMailbox}; what arrived before is lost. */
    public void start(Consumer<LoopInput> loopMailbox) {
        mailbox = loopMailbox;
    }

    long register(Port port) {
        long link = lastLink.incrementAndGet();
        ports.put(link, port);
        return link;
    }

    /** One thread at a time for each link. */
    void received(long link, UpstreamFrame frame) {
        // Under the map's lock for this link: a frame that was posted after the end would make a stream that nobody
        // closes.
        ports.computeIfPresent(link, (number, port) -> {
            post(new LoopInput.FromUpstream(link, frame));
            return port;
        });
    }

    /** The front end's side ended. */
    void ended(long link) {
        ports.computeIfPresent(link, (number, port) -> {
            post(new LoopInput.UpstreamClosed(link));
            return null;
        });
    }

    @Override
    public void send(long link, DownstreamFrame frame) {
        Port port = ports.get(link);
        if (port != null && !port.deliver(fitting(frame))) {
            log.warn("front end link {} takes its frames too slowly and is cut off", link);
            ended(link);
            port.cut("too much waits for this front end");
        }
    }

    @Override
    public void close(long link) {
        Port port = ports.remove(link);
        if (port != null) {
            port.close();
        }
    }

    /** An answer that no message can carry is told as such; nobody's link ends for it (C107). */
    private static DownstreamFrame fitting(DownstreamFrame frame) {
        if (frame instanceof DownstreamFrame.FromCell other) {
            DownstreamFrame fitting = fitting(other.frame());
            return fitting == other.frame() ? frame : new DownstreamFrame.FromCell(other.cell(), fitting);
        }
        if (frame instanceof DownstreamFrame.Deliver deliver
                && deliver.frame() instanceof ServerFrame.ReadReply reply
                && FrameSize.of(reply) > Limits.MAX_BATCH_BYTES) {
            String message = "the answer is larger than " + Limits.MAX_BATCH_BYTES + " bytes: ask for smaller pages";
            return new DownstreamFrame.Deliver(
                    deliver.stream(),
                    new ServerFrame.ReadReply(reply.callId(), new Answer.Failed(ErrorCode.TOO_LARGE, message)));
        }
        return frame;
    }

    private void post(LoopInput input) {
        Consumer<LoopInput> to = mailbox;
        if (to != null) {
            to.accept(input);
        }
    }
}
