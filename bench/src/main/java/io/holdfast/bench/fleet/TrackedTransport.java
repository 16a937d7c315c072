package io.holdfast.bench.fleet;

import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.ClientTransport;
import io.holdfast.client.transport.StreamListener;
import java.util.concurrent.ScheduledExecutorService;

/** A client's network, which remembers where its newest stream goes. <b>Thread:</b> any. */
final class TrackedTransport implements ClientTransport {
    private final ClientTransport network;
    private volatile String endpoint = "";

    TrackedTransport(ClientTransport network) {
        this.network = network;
    }

    /** {@code host:port} of the newest stream; empty if there was none. */
    String endpoint() {
        return endpoint;
    }

    @Override
    public ClientStream open(String to, StreamListener listener) {
        endpoint = to;
        return network.open(to, listener);
    }

    @Override
    public ScheduledExecutorService executor() {
        return network.executor();
    }

    @Override
    public void close() {
        network.close();
    }
}
