package io.holdfast.protocol.link;

import io.holdfast.protocol.frame.DownstreamFrame;

/**
 * Hears what happens on a link, in order; a frame that comes after {@code closed} is to be ignored.
 *
 * <p><b>Thread:</b> any. Must return at once.
 */
public interface LinkListener {
    /** The other side can be reached. */
    void opened();

    void received(DownstreamFrame frame);

    /** The link ended, or never came to be. */
    void closed(String reason);
}
