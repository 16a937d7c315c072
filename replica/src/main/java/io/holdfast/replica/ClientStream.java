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
    private final HeldBytes heldBytes;
    /** What arrived after an attach that is not settled yet. */
    private final ArrayDeque<ClientFrame> held = new ArrayDeque<>();

    private @Nullable SessionId session;
    private boolean attaching;
    private boolean replaced;
    private boolean closed;

    /** @param heldBytes of all streams that share a leader */
    ClientStream(long link, long stream, HeldBytes heldBytes) {
        this.link = link;
        this.stream = stream;
        this.heldBytes = heldBytes;
    }

    long link() {
        return link;
    }

    long stream() {
        return stream;
    }

    /** Lets a frame wait behind the attach; false if too much waits, here or in all. */
    boolean hold(ClientFrame frame) {
        if (held.size() >= MAX_HELD || !heldBytes.take(frame)) {
            return false;
        }
        held.add(frame);
        return true;
    }

    /** The next of what waits, which then does no longer; null if there is nothing. */
    @Nullable
    ClientFrame nextHeld() {
        ClientFrame frame = held.poll();
        if (frame != null) {
            heldBytes.giveBack(frame);
        }
        return frame;
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
        held.forEach(heldBytes::giveBack);
        held.clear();
    }
}
