package io.holdfast.protocol.link;

import io.holdfast.protocol.frame.UpstreamFrame;

/**
 * The front end's end of a link.
 *
 * <p><b>Thread:</b> one at a time. Never blocks, never throws.
 */
public interface UpstreamConnection {
    /** Sends in order. If too much waits already, the link ends instead: a hole in its stream must not be. */
    void send(UpstreamFrame frame);

    /** Ends the link at once; the listener hears nothing more of it but what was under way. */
    void close();
}
