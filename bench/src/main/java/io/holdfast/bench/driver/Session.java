package io.holdfast.bench.driver;

import java.util.concurrent.CompletableFuture;

/**
 * One session of a lock service.
 *
 * <p><b>Thread:</b> any.
 */
public interface Session extends AutoCloseable {
    /** A handle for one caller's thread; two handles of one name are two waiters. */
    CallerLock lock(String name) throws Exception;

    /** How many hold or wait for a name. */
    int queued(String name) throws Exception;

    void put(String path, byte[] value) throws Exception;

    /** Begins to create a node with a value that lasts; ends exceptionally if there is one. Does not wait for the service. */
    CompletableFuture<?> create(String path, byte[] value);

    /** A linearizable read. */
    byte[] get(String path) throws Exception;

    @Override
    void close() throws Exception;
}
