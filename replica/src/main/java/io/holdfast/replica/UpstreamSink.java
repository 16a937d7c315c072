package io.holdfast.replica;

import io.holdfast.protocol.frame.DownstreamFrame;

/**
 * Carries frames from the leader to front ends, in order on each link. Never blocks, never throws.
 *
 * <p><b>Thread:</b> the loop calls.
 */
public interface UpstreamSink {
    /** Sends on a link; dropped if the link is gone. */
    void send(long link, DownstreamFrame frame);

    /** Ends a link after what was sent on it. */
    void close(long link);
}
