package io.holdfast.client.transport;

import io.holdfast.protocol.frame.ServerFrame;

/** Hears what happens on one stream, in order, on a thread of the transport; must not block. */
public interface StreamListener {
    void opened();

    void frame(ServerFrame frame);

    /** Nothing comes after this. */
    void closed(String reason);
}
