package io.holdfast.cell;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.SessionId;

/** One thing that the log tells the state machine to do. An entry of the log holds a {@link CommandBatch}. */
public sealed interface Command {
    /**
     * A session's request, applied at most once (R2.7).
     *
     * @param requestId chosen by the client, above its watermark; unique in the session
     * @param watermark the client has seen the answers to all ids up to here; the state forgets them
     */
    record Request(SessionId session, long requestId, long watermark, Operation operation) implements Command {}

    /**
     * A request without a session, for one-shot tools: never repeated by anybody. Operations that need a session are
     * refused.
     */
    record OneShot(Operation operation) implements Command {}

    /**
     * Opens a session. Repeated with the same secret it names the session that the first one opened.
     *
     * @param secret {@link io.holdfast.model.Limits#SECRET_BYTES} random bytes drawn by the client (R3.1)
     * @param caching the client asks for cache leases (R6.2)
     */
    record OpenSession(byte[] secret, long leaseMillis, String clientName, boolean caching) implements Command {}

    /**
     * The leader of {@code term} saw the session's deadline pass (R3.2). Ignored if the entry's term differs (R2.5).
     */
    record ExpireSession(SessionId session, long term) implements Command {}

    /** The lock-delay of a place is over (R4.6). Ignored if the entry's term differs (R2.5) or the token is another. */
    record EndDelay(NodePath place, FencingToken token, long term) implements Command {}

    /**
     * A place is broken by an operator, and its client has let go of it or nobody has it (R3.6). Ignored if the entry's term
     * differs (R2.5) or the token is another.
     */
    record BreakPlace(NodePath place, FencingToken token, long term) implements Command {}

    /** A leased lock is asked for (R7.1). */
    record AcquireLease(LeaseCall.Acquire call) implements Command {}

    /** A leased lock is given back (R7.1). */
    record ReleaseLease(LeaseCall.Release call) implements Command {}

    /**
     * The leader of {@code term} saw the lease of this hold pass (R7.1). Ignored if the entry's term differs (R2.5) or the token is
     * another.
     */
    record ExpireLease(LeaseName name, FencingToken token, long term) implements Command {}
}
