package io.holdfast.client.transport;

import java.util.concurrent.ScheduledExecutorService;

/**
 * Opens streams to a cell.
 *
 * <p><b>Thread:</b> any. Nothing here blocks but {@link #close}.
 */
public interface ClientTransport extends AutoCloseable {
    /**
     * Starts connecting. The name is looked up anew and all its addresses are tried (C116). Every failure is told to the
     * listener; nothing is thrown.
     *
     * @param endpoint {@code host:port}, or {@code [v6]:port}
     */
    ClientStream open(String endpoint, StreamListener listener);

    /** The one thread on which listeners are told; whoever works on it must not block. It ends with {@link #close}. */
    ScheduledExecutorService executor();

    /** Closes all streams; bounded. Afterwards no thread of it is left. */
    @Override
    void close();
}
