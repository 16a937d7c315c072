package io.holdfast.bench.driver;

/** A lock service behind its own client library. Implementations have a constructor without parameters. */
public interface LockService {
    /**
     * Opens one session with a connection of its own.
     *
     * @param endpoints {@code host:port} of every server, separated by commas
     */
    Session open(String endpoints) throws Exception;

    /**
     * Opens many sessions that do nothing but stay alive, each with a connection of its own and as little else as the
     * service's library can do with.
     */
    IdleSessions openIdle(String endpoints, int count) throws Exception;
}
