package io.holdfast.client;

import io.holdfast.client.grpc.NetworkThreads;
import io.holdfast.client.transport.ClientTransport;
import io.holdfast.model.ErrorCode;

/**
 * Network threads that several clients of one process share. Without it, each client has one of its own: right for a handful of
 * clients, too many for hundreds.
 *
 * <pre>{@code
 * try (ClientNetwork network = ClientNetwork.withThreads(2)) {
 *     HoldfastClient one = HoldfastClient.builder().endpoints(cell).network(network).build();
 *     HoldfastClient other = HoldfastClient.builder().endpoints(cell).network(network).build();
 *     …
 * }
 * }</pre>
 *
 * <p>Each client still has its own session and its own connection. What callbacks run on is another matter: {@link
 * HoldfastClientBuilder#callbackExecutor}.
 *
 * <p><b>Thread:</b> any. Whoever made it closes it, after its clients: a client that is left counts as closed from then on, and its
 * session ends with its lease.
 */
public final class ClientNetwork implements AutoCloseable {
    /** More would wait for each other. */
    public static final int MAX_THREADS = 64;

    private final NetworkThreads threads;

    private ClientNetwork(NetworkThreads threads) {
        this.threads = threads;
    }

    /**
     * Threads are made when the first client needs them.
     *
     * @param threads 1 to {@link #MAX_THREADS}; clients take turns
     * @throws RefusedException if it is another number
     */
    public static ClientNetwork withThreads(int threads) {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new RefusedException(
                    ErrorCode.INVALID,
                    "a network of " + threads + " threads is out of range: 1 to " + MAX_THREADS + " are allowed");
        }
        return new ClientNetwork(NetworkThreads.shared(threads));
    }

    /** For one client, which closes it. */
    ClientTransport transport() {
        return threads.transport();
    }

    /** Ends the threads; bounded by a few seconds. Repeating it does nothing. */
    @Override
    public void close() {
        threads.close();
    }
}
