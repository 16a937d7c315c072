package io.holdfast.protocol.link;

import io.holdfast.protocol.frame.DownstreamFrame;

/**
 * Hears what happens on a link, in order.
 *
 * <p><b>Thread:</b> any, one at a time. Must return at once.
 */
public interface LinkListener {
    /** The other side can be reached. */
    void opened();

    void received(DownstreamFrame frame);

    /** The link ended, or never came to be. */
    void closed(String reason);
}
