package io.holdfast.protocol.codec;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.proto.KeepAlivesFrame;
import io.holdfast.protocol.proto.KeepAlivesRefusedFrame;
import io.holdfast.protocol.proto.KeepAlivesSettledFrame;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches of KeepAlives and their answers.
 *
 * <p><b>Thread:</b> any.
 */
final class KeepAliveCodec {
    private KeepAliveCodec() {}

    static KeepAlivesFrame encode(UpstreamFrame.KeepAlives batch) {
        KeepAlivesFrame.Builder frame = KeepAlivesFrame.newBuilder().setNumber(batch.number());
        for (UpstreamFrame.Heard heard : batch.heard()) {
            frame.addStreams(heard.stream());
            frame.addSessions(heard.session().value());
            frame.addSendNumbers(heard.sendNumber());
        }
        return frame.build();
    }

    static UpstreamFrame.KeepAlives decode(KeepAlivesFrame frame) throws MalformedFrameException {
        int lines = frame.getStreamsCount();
        if (lines < 1 || lines > UpstreamFrame.KeepAlives.MAX_HEARD) {
            throw MalformedFrameException.invalid(
                    "keep_alives.streams", lines + " sessions; a batch has 1 to " + UpstreamFrame.KeepAlives.MAX_HEARD);
        }
        if (frame.getSessionsCount() != lines || frame.getSendNumbersCount() != lines) {
            throw MalformedFrameException.invalid("keep_alives", "its columns differ in length");
        }
        List<UpstreamFrame.Heard> heard = new ArrayList<>(lines);
        for (int i = 0; i < lines; i++) {
            heard.add(new UpstreamFrame.Heard(
                    frame.getStreams(i), new SessionId(frame.getSessions(i)), frame.getSendNumbers(i)));
        }
        return new UpstreamFrame.KeepAlives(Fields.id("keep_alives.number", frame.getNumber()), heard);
    }

    static KeepAlivesSettledFrame encode(DownstreamFrame.KeepAlivesSettled settled) {
        return KeepAlivesSettledFrame.newBuilder()
                .setNumber(settled.number())
                .setEpoch(settled.epoch())
                .addAllNotRenewed(settled.notRenewed())
                .addAllCacheNotRenewed(settled.cacheNotRenewed())
                .addAllUnbound(settled.unbound())
                .build();
    }

    static DownstreamFrame.KeepAlivesSettled decode(KeepAlivesSettledFrame frame) {
        return new DownstreamFrame.KeepAlivesSettled(
                frame.getNumber(),
                frame.getEpoch(),
                frame.getNotRenewedList(),
                frame.getCacheNotRenewedList(),
                frame.getUnboundList());
    }

    static KeepAlivesRefusedFrame encode(DownstreamFrame.KeepAlivesRefused refused) {
        return KeepAlivesRefusedFrame.newBuilder()
                .setNumber(refused.number())
                .setCodeValue(refused.code().code())
                .setReason(refused.reason())
                .build();
    }

    static DownstreamFrame.KeepAlivesRefused decode(KeepAlivesRefusedFrame frame) {
        return new DownstreamFrame.KeepAlivesRefused(
                frame.getNumber(), ErrorCode.of(frame.getCodeValue()), frame.getReason());
    }
}
