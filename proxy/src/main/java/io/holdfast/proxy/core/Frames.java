package io.holdfast.proxy.core;

import io.holdfast.model.ErrorCode;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;

/** Questions about single frames. */
final class Frames {
    private Frames() {}

    /** The request or call id, 0 for a frame that has none. */
    static long idOf(ClientFrame frame) {
        if (frame instanceof ClientFrame.Request request) {
            return request.requestId();
        }
        if (frame instanceof ClientFrame.OneShot oneShot) {
            return oneShot.callId();
        }
        if (frame instanceof ClientFrame.Read read) {
            return read.callId();
        }
        if (frame instanceof ClientFrame.Watch watch) {
            return watch.callId();
        }
        if (frame instanceof ClientFrame.Lease lease) {
            return lease.callId();
        }
        return 0;
    }

    /** The id that a frame answers or refuses, 0 if it has none. */
    static long idOf(ServerFrame frame) {
        if (frame instanceof ServerFrame.Reply reply) {
            return reply.requestId();
        }
        if (frame instanceof ServerFrame.ReadReply reply) {
            return reply.callId();
        }
        return frame instanceof ServerFrame.Refused refused ? refused.id() : 0;
    }

    /** A frame that was not forwarded is certainly without effect. */
    static ServerFrame.Refused refusal(ClientFrame frame, ErrorCode code, String message) {
        return new ServerFrame.Refused(idOf(frame), code, true, message);
    }
}
