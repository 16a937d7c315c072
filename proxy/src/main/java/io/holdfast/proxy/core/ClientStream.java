package io.holdfast.proxy.core;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import org.jspecify.annotations.Nullable;

/** What the front end knows of one client stream. */
final class ClientStream {
    private final long number;

    /** Something was forwarded on the present link. */
    private boolean forwarded;
    /** It has asked to open or attach a session on this stream. */
    private boolean bound;
    /**
     * It was interrupted and has not attached again since. What it sends under its session until then was sent before it
     * heard of that: the interruption covers it, as the client repeats it under its id.
     */
    private boolean mustAttach;
    /** The last Open or Attach that was forwarded; only its answer binds. */
    private @Nullable ClientFrame asked;
    /** For which it speaks, as the leader has said on the present link. */
    private @Nullable SessionId session;

    private long boundNanos;

    private int inFlight;

    ClientStream(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }

    /** Takes note of a frame from the client; false if it is covered by an interruption and to be dropped. */
    boolean accepts(ClientFrame frame) {
        if (frame instanceof ClientFrame.Open || frame instanceof ClientFrame.Attach) {
            bound = true;
            mustAttach = false;
            return true;
        }
        return !(mustAttach && isUnderSession(frame));
    }

    private static boolean isUnderSession(ClientFrame frame) {
        return frame instanceof ClientFrame.Request
                || frame instanceof ClientFrame.KeepAlive
                || frame instanceof ClientFrame.EndingAck // asked for again after the attach, if need be
                || frame instanceof ClientFrame.CacheAck // of a cache that was emptied when it heard (R6.4)
                || frame instanceof ClientFrame.Watch
                || (frame instanceof ClientFrame.Read read && read.watch() != 0);
    }

    boolean hasForwarded() {
        return forwarded;
    }

    int inFlight() {
        return inFlight;
    }

    void forwarded(ClientFrame frame) {
        forwarded = true;
        if (frame instanceof ClientFrame.Open || frame instanceof ClientFrame.Attach) {
            asked = frame;
            session = null;
        }
        if (Frames.idOf(frame) != 0) {
            inFlight++;
        }
    }

    void delivered(ServerFrame frame, long nowNanos) {
        followBinding(frame, nowNanos);
        answered(frame);
    }

    /** Takes note of an answer to this client. */
    void answered(ServerFrame frame) {
        boolean answer = frame instanceof ServerFrame.Reply
                || frame instanceof ServerFrame.ReadReply
                || frame instanceof ServerFrame.Watched
                || (frame instanceof ServerFrame.Refused refused && refused.id() != 0);
        if (answer && inFlight > 0) {
            inFlight--;
        }
    }

    /** Something that it asked is never answered: it has lost its session, and does not wait for it. */
    void notAnswered() {
        if (inFlight > 0) {
            inFlight--;
        }
    }

    private void followBinding(ServerFrame frame, long nowNanos) {
        if (frame instanceof ServerFrame.Opened opened) {
            if (asked instanceof ClientFrame.Open open && open.sendNumber() == opened.sendNumber()) {
                bound(opened.session(), nowNanos);
            }
        } else if (frame instanceof ServerFrame.Attached attached) {
            if (asked instanceof ClientFrame.Attach attach
                    && attach.session().equals(attached.session())
                    && attach.attachment() == attached.attachment()) {
                bound(attached.session(), nowNanos);
            }
        } else if (frame instanceof ServerFrame.SessionEnded
                || (frame instanceof ServerFrame.Refused refused && refused.code() == ErrorCode.REPLACED)) {
            session = null;
        }
    }

    private void bound(SessionId to, long nowNanos) {
        session = to;
        boundNanos = nowNanos;
    }

    /** The session for which the leader has said that this stream speaks; null if it is not known that it does. */
    @Nullable
    SessionId session() {
        return session;
    }

    /** When the leader's word came that it speaks for {@link #session}. */
    long boundNanos() {
        return boundNanos;
    }

    /** The link ended; true if the client must be told. */
    boolean interrupt() {
        boolean tell = forwarded;
        if (tell) {
            mustAttach = bound;
        }
        forwarded = false;
        asked = null;
        session = null;
        inFlight = 0;
        return tell;
    }
}
