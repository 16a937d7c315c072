package io.holdfast.protocol.codec;

import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.proto.DeliverFrame;
import io.holdfast.protocol.proto.DownFrame;
import io.holdfast.protocol.proto.DownMessage;
import io.holdfast.protocol.proto.ForwardFrame;
import io.holdfast.protocol.proto.NotLeaderFrame;
import io.holdfast.protocol.proto.StreamClosedFrame;
import io.holdfast.protocol.proto.UpFrame;
import io.holdfast.protocol.proto.UpMessage;
import java.util.List;

/**
 * Batches of {@link UpstreamFrame}s and {@link DownstreamFrame}s and their messages. Frames are decoded one by one, so that
 * one client's bad frame need not end the link of all.
 *
 * <p><b>Thread:</b> any.
 */
public final class UpstreamCodec {
    private UpstreamCodec() {}

    /** One message for a batch; the caller keeps it within {@link io.holdfast.model.Limits#MAX_BATCH_BYTES}. */
    public static UpMessage encodeUp(List<UpstreamFrame> frames) {
        UpMessage.Builder message = UpMessage.newBuilder().setVersion(Fields.VERSION);
        for (UpstreamFrame frame : frames) {
            if (frame instanceof UpstreamFrame.Forward forward) {
                message.addFrames(UpFrame.newBuilder()
                        .setForward(ForwardFrame.newBuilder()
                                .setStream(forward.stream())
                                .setBody(ClientCodec.body(forward.frame()))));
            } else if (frame instanceof UpstreamFrame.StreamClosed closed) {
                message.addFrames(UpFrame.newBuilder()
                        .setStreamClosed(StreamClosedFrame.newBuilder().setStream(closed.stream())));
            } else {
                throw new AssertionError("frame without a message: " + frame.getClass());
            }
        }
        return message.build();
    }

    /**
     * One frame of a batch whose version was checked.
     *
     * @throws MalformedFrameException if it is invalid; if it is a forward and refusable, its stream is still known
     */
    public static UpstreamFrame decode(UpFrame frame) throws MalformedFrameException {
        switch (frame.getFrameCase()) {
            case FORWARD: {
                ForwardFrame forward = frame.getForward();
                return new UpstreamFrame.Forward(forward.getStream(), ClientCodec.body(forward.getBody()));
            }
            case STREAM_CLOSED:
                return new UpstreamFrame.StreamClosed(frame.getStreamClosed().getStream());
            case FRAME_NOT_SET:
                break;
        }
        throw Fields.missing("frames.frame");
    }

    /** One message for a batch; the caller keeps it within {@link io.holdfast.model.Limits#MAX_BATCH_BYTES}. */
    public static DownMessage encodeDown(List<DownstreamFrame> frames) {
        DownMessage.Builder message = DownMessage.newBuilder().setVersion(Fields.VERSION);
        for (DownstreamFrame frame : frames) {
            if (frame instanceof DownstreamFrame.Deliver deliver) {
                message.addFrames(DownFrame.newBuilder()
                        .setDeliver(DeliverFrame.newBuilder()
                                .setStream(deliver.stream())
                                .setBody(ServerCodec.body(deliver.frame()))));
            } else if (frame instanceof DownstreamFrame.NotLeader notLeader) {
                message.addFrames(DownFrame.newBuilder()
                        .setNotLeader(NotLeaderFrame.newBuilder().setReason(notLeader.reason())));
            } else {
                throw new AssertionError("frame without a message: " + frame.getClass());
            }
        }
        return message.build();
    }

    /** One frame of a batch whose version was checked. */
    public static DownstreamFrame decode(DownFrame frame) throws MalformedFrameException {
        switch (frame.getFrameCase()) {
            case DELIVER: {
                DeliverFrame deliver = frame.getDeliver();
                return new DownstreamFrame.Deliver(deliver.getStream(), ServerCodec.body(deliver.getBody()));
            }
            case NOT_LEADER:
                return new DownstreamFrame.NotLeader(frame.getNotLeader().getReason());
            case FRAME_NOT_SET:
                break;
        }
        throw Fields.missing("frames.frame");
    }
}
