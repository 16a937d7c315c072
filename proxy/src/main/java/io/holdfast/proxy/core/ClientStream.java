package io.holdfast.proxy.core;

import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;

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
        if (Frames.idOf(frame) != 0) {
            inFlight++;
        }
    }

    void delivered(ServerFrame frame) {
        boolean answer = frame instanceof ServerFrame.Reply
                || frame instanceof ServerFrame.ReadReply
                || frame instanceof ServerFrame.Watched
                || (frame instanceof ServerFrame.Refused refused && refused.id() != 0);
        if (answer && inFlight > 0) {
            inFlight--;
        }
    }

    /** The link ended; true if the client must be told. */
    boolean interrupt() {
        boolean tell = forwarded;
        if (tell) {
            mustAttach = bound;
        }
        forwarded = false;
        inFlight = 0;
        return tell;
    }
}
