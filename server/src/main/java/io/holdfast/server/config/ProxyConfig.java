package io.holdfast.server.config;

import java.util.List;

/**
 * The checked configuration of a proxy.
 *
 * @param client address for clients
 * @param http address for HTTP
 * @param upstream client addresses of the replicas; a name may stand for several
 */
public record ProxyConfig(HostPort client, HostPort http, List<HostPort> upstream) {
    /** More upstreams are refused. */
    public static final int MAX_UPSTREAMS = 32;

    public ProxyConfig {
        upstream = List.copyOf(upstream);
    }
}
