package io.holdfast.protocol.link;

/**
 * Opens links from a front end to the replica that leads.
 *
 * <p><b>Thread:</b> any. Never blocks, never throws.
 */
public interface UpstreamDialer {
    /**
     * Begins a link. The listener hears {@code opened} at most once, then frames in order, and {@code closed} exactly once
     * unless the caller closed the link itself.
     *
     * @param replica configured name of the replica to reach
     */
    UpstreamConnection dial(String replica, LinkListener listener);
}
