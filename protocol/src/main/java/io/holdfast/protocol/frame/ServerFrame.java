package io.holdfast.protocol.frame;

import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From a cell to a client, on one ordered stream. An event comes before any reply that shows the newer state (R5.2). */
public sealed interface ServerFrame {
    /**
     * First frame of every stream.
     *
     * @param deployment identity of the deployment, drawn when the cell was formed; another one than before means that the
     *     cell was set up anew and old sessions are gone (C115)
     * @param replica or proxy that the client is connected to
     */
    record Hello(String cell, String deployment, String replica) implements ServerFrame {}

    /**
     * A session is open and its lease runs from the send named.
     *
     * @param sendNumber of the {@link ClientFrame.Open} that this answers
     * @param epoch the leader's term
     */
    record Opened(long sendNumber, SessionId session, long leaseMillis, long epoch) implements ServerFrame {}

    /** This stream now speaks for the session. Says nothing about the lease: only a KeepAlive renews. */
    record Attached(SessionId session, long attachment, long epoch) implements ServerFrame {}

    /**
     * @param sendNumber the send that was confirmed
     * @param renewed only then is the lease extended (R3.5); false for an expiring session
     * @param cacheRenewed only then is the cache lease extended too, as far as the session's (R6.2)
     */
    record KeepAliveAck(long sendNumber, boolean renewed, long epoch, boolean cacheRenewed) implements ServerFrame {
        /** Without a cache lease. */
        public KeepAliveAck(long sendNumber, boolean renewed, long epoch) {
            this(sendNumber, renewed, epoch, false);
        }
    }

    /** The outcome of a request or one-shot, by its id. */
    record Reply(long requestId, Outcome outcome) implements ServerFrame {}

    /**
     * @param revision of the cell when it was answered: what is newer than the answer has a higher one
     * @param fill how the answer may be cached; null if it must not be
     */
    record ReadReply(
            long callId,
            Answer answer,
            long revision,
            @Nullable Fill fill) implements ServerFrame {
        /** Not to be cached. */
        public ReadReply(long callId, Answer answer, long revision) {
            this(callId, answer, revision, null);
        }

        /** Of an unknown revision. */
        public ReadReply(long callId, Answer answer) {
            this(callId, answer, 0, null);
        }
    }

    /** An answer may be cached under this attachment and epoch, and under no other (R6.2). */
    record Fill(long attachment, long epoch) {}

    /**
     * What is cached of these paths must go, and then {@link ClientFrame.CacheAck} with this number is to be sent; until then
     * no cache lease of this session is extended (R6.3).
     *
     * @param number rises
     */
    record Invalidate(SessionId session, long number, List<NodePath> paths) implements ServerFrame {
        public Invalidate {
            paths = List.copyOf(paths);
        }
    }

    /** The write with this id is neither done nor lost: it waits for others to let go of what they cache (R6.3). */
    record Held(long id) implements ServerFrame {}

    /**
     * Something that these watches cover is newer than what they had seen; they are no longer registered (R5.1).
     *
     * @param revision at least that of the change
     */
    record WatchesFired(SessionId session, long revision, List<Long> watches) implements ServerFrame {
        public WatchesFired {
            watches = List.copyOf(watches);
        }
    }

    /**
     * Answers {@link ClientFrame.Watch}: all that was claimed is registered, but for what has fired.
     *
     * @param revision of the cell: up to it nothing that they cover is newer than what they had seen
     */
    record Watched(long callId, long revision) implements ServerFrame {}

    /**
     * A request or read was not carried out by whom it reached.
     *
     * @param id request or call id, 0 if it concerns an open, attach or KeepAlive
     * @param code {@link ErrorCode#UNAVAILABLE}, {@link ErrorCode#BUSY}, {@link ErrorCode#FORBIDDEN}, …
     * @param definite true if it certainly has had no effect; false if its fate is unknown
     */
    record Refused(long id, ErrorCode code, boolean definite, String message) implements ServerFrame {}

    /** A waiting place became held (R4.2). */
    record Granted(SessionId session, NodePath place, FencingToken token) implements ServerFrame {}

    /** A place went although its session lives on. */
    record PlaceRemoved(SessionId session, NodePath place, FencingToken token) implements ServerFrame {}

    /** The session is over at the cell, with all that it held. */
    record SessionEnded(SessionId session, String reason) implements ServerFrame {}

    /**
     * An operator ends this: the client lets go of it and then sends {@link ClientFrame.EndingAck} (R3.6). Until that has
     * come nothing renews the session. Repeated to each stream that attaches.
     */
    record EndingNotice(Ending ending, String reason) implements ServerFrame {}

    /** Answers {@link ClientFrame.Ping}; says nothing of the session, its lease or the cell (R3.5). */
    record Pong() implements ServerFrame {}

    /**
     * The other end of this stream is about to end and asks to be left: the client moves to another endpoint. Until then all goes
     * on as before; what is on its way is answered. Says nothing of the session, its lease or the cell.
     *
     * @param spreadMillis each client begins to move at a random time within so long, so that they do not move together
     */
    record Draining(String reason, long spreadMillis) implements ServerFrame {}

    /**
     * The way to the leader broke or the leader changed: what was in flight on this stream has an unknown fate. The client
     * attaches again, on this stream or another, and repeats its requests under their ids.
     *
     * @param leaderHint client address of a replica to try next, or null
     */
    record Interrupted(String reason, @Nullable String leaderHint) implements ServerFrame {}
}
