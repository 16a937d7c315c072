package io.holdfast.protocol.frame;

import io.holdfast.model.Ending;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import java.util.List;

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
     * @param patienceMillis how long the front end may let it wait for others to go with; 0 or less: not at all
     */
    record KeepAlive(long sendNumber, long patienceMillis) implements ClientFrame {
        /** One that is in a hurry. */
        public KeepAlive(long sendNumber) {
            this(sendNumber, 0);
        }
    }

    /**
     * A change under the bound session, applied at most once (R2.7). Answered by {@link ServerFrame.Reply}.
     *
     * @param watermark answers to all request ids up to here have been seen
     * @param waitMillis how long a write of a value may wait for others to let go of what they cache (R6.3); 0 for no bound
     */
    record Request(long requestId, long watermark, Operation operation, long waitMillis) implements ClientFrame {
        /** Without a bound. */
        public Request(long requestId, long watermark, Operation operation) {
            this(requestId, watermark, operation, 0);
        }
    }

    /**
     * A change without a session; never retried by anybody once sent. Answered by {@link ServerFrame.Reply}.
     *
     * @param waitMillis as of {@link Request}
     */
    record OneShot(long callId, Operation operation, long waitMillis) implements ClientFrame {
        /** Without a bound. */
        public OneShot(long callId, Operation operation) {
            this(callId, operation, 0);
        }
    }

    /**
     * A linearizable read. Needs no session, but for a watch. Answered by {@link ServerFrame.ReadReply}.
     *
     * @param watch number under which a watch is registered in the same step as the read is answered (R5.1), 0 for none; its
     *     query must be {@link Query.Watchable} then
     * @param cacheable the answer shall be cached, if it may be (R6.2); only for {@link Query.GetValue}
     */
    record Read(long callId, Query query, long watch, boolean cacheable) implements ClientFrame {
        /** Not to be cached. */
        public Read(long callId, Query query, long watch) {
            this(callId, query, watch, false);
        }

        /** Without a watch, not to be cached. */
        public Read(long callId, Query query) {
            this(callId, query, 0, false);
        }
    }

    /**
     * Claims watches of an earlier stream for this one (R5.3), and withdraws others. Answered by {@link
     * ServerFrame.WatchesFired} for those that are to fire at once, then by {@link ServerFrame.Watched}.
     *
     * @param dropped numbers of watches that are no longer wanted; taken out first
     */
    record Watch(long callId, List<WatchClaim> claims, List<Long> dropped) implements ClientFrame {
        public Watch {
            claims = List.copyOf(claims);
            dropped = List.copyOf(dropped);
        }
    }

    /** @param seenRevision up to which its client knows all that it covers; it fires at once if anything is newer */
    record WatchClaim(long watch, WatchKind kind, NodePath path, long seenRevision) {}

    /**
     * Answers {@link ServerFrame.EndingNotice}: nothing of it is held from before this was sent, and never will be again
     * (R3.6). Sent on the stream that speaks for the session; repeating it is harmless.
     */
    record EndingAck(Ending ending) implements ClientFrame {}

    /**
     * A call about a leased lock, without a session (F8). Answered by {@link ServerFrame.Reply} with an {@link
     * io.holdfast.model.Outcome.OfLease}. Whoever repeats it gives it another call id, so that an answer names the send that it
     * answers (R1.2).
     */
    record Lease(long callId, LeaseCall call) implements ClientFrame {}

    /**
     * Answers {@link ServerFrame.Invalidate}: nothing that it named, or any before it, is cached any more (R6.3). With number
     * 0: nothing at all is cached of any earlier epoch (R6.6). Sent on the stream that speaks for the session.
     *
     * @param epoch of the leader to whom this is said
     */
    record CacheAck(long epoch, long number) implements ClientFrame {}

    /**
     * Asks whether the other end of this stream is there; answered by it alone, whether a leader can be reached or not, with
     * {@link ServerFrame.Pong}. Renews nothing.
     */
    record Ping() implements ClientFrame {}
}
