package io.holdfast.replica;

import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A client's stream as the leader sees it, through a front end's link.
 *
 * <p><b>Thread:</b> the loop.
 */
final class ClientStream {
    /** Frames that may wait behind an attach that is being checked. */
    static final int MAX_HELD = 1_024;

    private final long link;
    private final long stream;
    /** What arrived after an attach that is not settled yet. */
    private final ArrayDeque<ClientFrame> held = new ArrayDeque<>();

    private @Nullable SessionId session;
    private boolean attaching;
    private boolean replaced;
    private boolean closed;

    ClientStream(long link, long stream) {
        this.link = link;
        this.stream = stream;
    }

    long link() {
        return link;
    }

    long stream() {
        return stream;
    }

    ArrayDeque<ClientFrame> held() {
        return held;
    }

    /** The session it speaks for, or null. */
    @Nullable
    SessionId session() {
        return session;
    }

    void bind(SessionId to) {
        session = to;
        replaced = false;
    }

    void unbind() {
        session = null;
    }

    /** A later attachment of its session took over (C33). */
    boolean isReplaced() {
        return replaced;
    }

    void replace() {
        session = null;
        replaced = true;
    }

    boolean isAttaching() {
        return attaching;
    }

    void setAttaching(boolean now) {
        attaching = now;
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        session = null;
        held.clear();
    }
}
