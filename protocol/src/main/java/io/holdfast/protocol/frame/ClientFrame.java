package io.holdfast.protocol.frame;

import io.holdfast.model.Ending;
import io.holdfast.model.Operation;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;

/** From a client to its cell, on one ordered stream. */
public sealed interface ClientFrame {
    /**
     * Opens a session and binds this stream to it, as an attachment with number 0 would. Repeating it with the same secret
     * is harmless. Answered by {@link ServerFrame.Opened}.
     *
     * @param sendNumber as in {@link KeepAlive}: opening starts the lease, counted from sending (R1.2)
     * @param secret {@link io.holdfast.model.Limits#SECRET_BYTES} random bytes (R3.1)
     */
    record Open(long sendNumber, byte[] secret, long leaseMillis, String clientName, boolean caching)
            implements ClientFrame {}

    /**
     * Binds this stream to a session. Answered by {@link ServerFrame.Attached} or {@link ServerFrame.SessionEnded}.
     *
     * @param attachment raised by the client with every stream it opens; a lower one than seen is refused (R6.4, C33)
     */
    record Attach(SessionId session, byte[] secret, long attachment) implements ClientFrame {}

    /**
     * Renews the session bound to this stream. Answered by {@link ServerFrame.KeepAliveAck}.
     *
     * @param sendNumber names this send; the client counts its lease from when it sent it (R1.2, R3.5)
     */
    record KeepAlive(long sendNumber) implements ClientFrame {}

    /**
     * A change under the bound session, applied at most once (R2.7). Answered by {@link ServerFrame.Reply}.
     *
     * @param watermark answers to all request ids up to here have been seen
     */
    record Request(long requestId, long watermark, Operation operation) implements ClientFrame {}

    /** A change without a session; never retried by anybody once sent. Answered by {@link ServerFrame.Reply}. */
    record OneShot(long callId, Operation operation) implements ClientFrame {}

    /** A linearizable read; needs no session. Answered by {@link ServerFrame.ReadReply}. */
    record Read(long callId, Query query) implements ClientFrame {}

    /**
     * Answers {@link ServerFrame.EndingNotice}: nothing of it is held from before this was sent, and never will be again
     * (R3.6). Sent on the stream that speaks for the session; repeating it is harmless.
     */
    record EndingAck(Ending ending) implements ClientFrame {}
}
