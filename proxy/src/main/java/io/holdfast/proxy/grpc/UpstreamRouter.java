package io.holdfast.proxy.grpc;

import io.holdfast.protocol.link.LinkListener;
import io.holdfast.protocol.link.UpstreamConnection;
import io.holdfast.protocol.link.UpstreamDialer;

/**
 * Reaches the replica in this process without the network, and the others over it.
 *
 * @param localReplica configured name of the replica in this process
 */
public record UpstreamRouter(String localReplica, UpstreamDialer local, UpstreamDialer remote)
        implements UpstreamDialer {
    @Override
    public UpstreamConnection dial(String replica, LinkListener listener) {
        return (replica.equals(localReplica) ? local : remote).dial(replica, listener);
    }
}
