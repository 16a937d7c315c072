package io.holdfast.protocol.codec;

import io.holdfast.model.Limits;
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
import java.util.ArrayList;
import java.util.List;

/**
 * Batches of {@link UpstreamFrame}s and {@link DownstreamFrame}s and their messages. Frames are decoded one by one, so that
 * one client's bad frame need not end the link of all.
 *
 * <p><b>Thread:</b> any.
 */
public final class UpstreamCodec {
    private static final int ENVELOPE_BYTES = 16;
    private static final int FRAME_OVERHEAD_BYTES = 6;
    private static final int MAX_CELL_NAME_CHARS = 64;

    private UpstreamCodec() {}

    /** The messages for frames, in order: each at most {@link Limits#MAX_BATCH_BYTES}, or a single frame. */
    public static List<UpMessage> encodeUp(List<UpstreamFrame> frames) {
        List<UpMessage> messages = new ArrayList<>(1);
        UpMessage.Builder message = UpMessage.newBuilder().setVersion(Fields.VERSION);
        int bytes = ENVELOPE_BYTES;
        for (UpstreamFrame each : frames) {
            UpFrame frame = encode(each);
            int frameBytes = frame.getSerializedSize() + FRAME_OVERHEAD_BYTES;
            if (message.getFramesCount() > 0 && bytes + frameBytes > Limits.MAX_BATCH_BYTES) {
                messages.add(message.build());
                message = UpMessage.newBuilder().setVersion(Fields.VERSION);
                bytes = ENVELOPE_BYTES;
            }
            message.addFrames(frame);
            bytes += frameBytes;
        }
        messages.add(message.build());
        return messages;
    }

    private static UpFrame encode(UpstreamFrame frame) {
        if (frame instanceof UpstreamFrame.ToCell other) {
            return encode(other.frame()).toBuilder().setCell(other.cell()).build();
        }
        if (frame instanceof UpstreamFrame.Forward forward) {
            return UpFrame.newBuilder()
                    .setForward(ForwardFrame.newBuilder()
                            .setStream(forward.stream())
                            .setBody(ClientCodec.body(forward.frame())))
                    .build();
        }
        if (frame instanceof UpstreamFrame.StreamClosed closed) {
            return UpFrame.newBuilder()
                    .setStreamClosed(StreamClosedFrame.newBuilder().setStream(closed.stream()))
                    .build();
        }
        if (frame instanceof UpstreamFrame.KeepAlives batch) {
            return UpFrame.newBuilder()
                    .setKeepAlives(KeepAliveCodec.encode(batch))
                    .build();
        }
        if (frame instanceof UpstreamFrame.ClaimWatches claim) {
            return UpFrame.newBuilder()
                    .setClaimWatches(FrontWatchCodec.encode(claim))
                    .build();
        }
        if (frame instanceof UpstreamFrame.DropWatches drop) {
            return UpFrame.newBuilder()
                    .setDropWatches(FrontWatchCodec.encode(drop))
                    .build();
        }
        throw new AssertionError("frame without a message: " + frame.getClass());
    }

    /**
     * One frame of a batch whose version was checked.
     *
     * @throws MalformedFrameException if it is invalid; if it is a forward and refusable, its stream is still known
     */
    public static UpstreamFrame decode(UpFrame frame) throws MalformedFrameException {
        String cell = cell(frame.getCell());
        UpstreamFrame decoded = decodeFor(frame);
        return cell.isEmpty() ? decoded : new UpstreamFrame.ToCell(cell, decoded);
    }

    private static UpstreamFrame decodeFor(UpFrame frame) throws MalformedFrameException {
        switch (frame.getFrameCase()) {
            case FORWARD: {
                ForwardFrame forward = frame.getForward();
                return new UpstreamFrame.Forward(forward.getStream(), ClientCodec.body(forward.getBody()));
            }
            case STREAM_CLOSED:
                return new UpstreamFrame.StreamClosed(frame.getStreamClosed().getStream());
            case KEEP_ALIVES:
                return KeepAliveCodec.decode(frame.getKeepAlives());
            case CLAIM_WATCHES:
                return FrontWatchCodec.decode(frame.getClaimWatches());
            case DROP_WATCHES:
                return FrontWatchCodec.decode(frame.getDropWatches());
            case FRAME_NOT_SET:
                break;
        }
        throw Fields.missing("frames.frame");
    }

    /** Empty for the first cell. What is for another one is never taken for that one's: it stays wrapped. */
    private static String cell(String cell) throws MalformedFrameException {
        if (cell.length() > MAX_CELL_NAME_CHARS) {
            throw MalformedFrameException.invalid(
                    "frames.cell", "a cell name has at most " + MAX_CELL_NAME_CHARS + " characters");
        }
        return cell;
    }

    /** The messages for frames, in order: each at most {@link Limits#MAX_BATCH_BYTES}, or a single frame. */
    public static List<DownMessage> encodeDown(List<DownstreamFrame> frames) {
        List<DownMessage> messages = new ArrayList<>(1);
        DownMessage.Builder message = DownMessage.newBuilder().setVersion(Fields.VERSION);
        int bytes = ENVELOPE_BYTES;
        for (DownstreamFrame each : frames) {
            DownFrame frame = encode(each);
            int frameBytes = frame.getSerializedSize() + FRAME_OVERHEAD_BYTES;
            if (message.getFramesCount() > 0 && bytes + frameBytes > Limits.MAX_BATCH_BYTES) {
                messages.add(message.build());
                message = DownMessage.newBuilder().setVersion(Fields.VERSION);
                bytes = ENVELOPE_BYTES;
            }
            message.addFrames(frame);
            bytes += frameBytes;
        }
        messages.add(message.build());
        return messages;
    }

    private static DownFrame encode(DownstreamFrame frame) {
        if (frame instanceof DownstreamFrame.FromCell other) {
            return encode(other.frame()).toBuilder().setCell(other.cell()).build();
        }
        if (frame instanceof DownstreamFrame.Deliver deliver) {
            return DownFrame.newBuilder()
                    .setDeliver(DeliverFrame.newBuilder()
                            .setStream(deliver.stream())
                            .setBody(ServerCodec.body(deliver.frame())))
                    .build();
        }
        if (frame instanceof DownstreamFrame.NotLeader notLeader) {
            return DownFrame.newBuilder()
                    .setNotLeader(NotLeaderFrame.newBuilder().setReason(notLeader.reason()))
                    .build();
        }
        if (frame instanceof DownstreamFrame.KeepAlivesSettled settled) {
            return DownFrame.newBuilder()
                    .setKeepAlivesSettled(KeepAliveCodec.encode(settled))
                    .build();
        }
        if (frame instanceof DownstreamFrame.KeepAlivesRefused refused) {
            return DownFrame.newBuilder()
                    .setKeepAlivesRefused(KeepAliveCodec.encode(refused))
                    .build();
        }
        if (frame instanceof DownstreamFrame.WatchesFired fired) {
            return DownFrame.newBuilder()
                    .setWatchesFired(FrontWatchCodec.encode(fired))
                    .build();
        }
        if (frame instanceof DownstreamFrame.WatchesClaimed claimed) {
            return DownFrame.newBuilder()
                    .setWatchesClaimed(FrontWatchCodec.encode(claimed))
                    .build();
        }
        if (frame instanceof DownstreamFrame.WatchClaimsRefused refused) {
            return DownFrame.newBuilder()
                    .setWatchClaimsRefused(FrontWatchCodec.encode(refused))
                    .build();
        }
        throw new AssertionError("frame without a message: " + frame.getClass());
    }

    /** One frame of a batch whose version was checked. */
    public static DownstreamFrame decode(DownFrame frame) throws MalformedFrameException {
        String cell = cell(frame.getCell());
        DownstreamFrame decoded = decodeFrom(frame);
        return cell.isEmpty() ? decoded : new DownstreamFrame.FromCell(cell, decoded);
    }

    private static DownstreamFrame decodeFrom(DownFrame frame) throws MalformedFrameException {
        switch (frame.getFrameCase()) {
            case DELIVER: {
                DeliverFrame deliver = frame.getDeliver();
                return new DownstreamFrame.Deliver(deliver.getStream(), ServerCodec.body(deliver.getBody()));
            }
            case NOT_LEADER:
                return new DownstreamFrame.NotLeader(frame.getNotLeader().getReason());
            case KEEP_ALIVES_SETTLED:
                return KeepAliveCodec.decode(frame.getKeepAlivesSettled());
            case KEEP_ALIVES_REFUSED:
                return KeepAliveCodec.decode(frame.getKeepAlivesRefused());
            case WATCHES_FIRED:
                return FrontWatchCodec.decode(frame.getWatchesFired());
            case WATCHES_CLAIMED:
                return FrontWatchCodec.decode(frame.getWatchesClaimed());
            case WATCH_CLAIMS_REFUSED:
                return FrontWatchCodec.decode(frame.getWatchClaimsRefused());
            case FRAME_NOT_SET:
                break;
        }
        throw Fields.missing("frames.frame");
    }
}
