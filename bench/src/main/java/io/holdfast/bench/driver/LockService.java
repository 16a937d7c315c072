package io.holdfast.bench.driver;

/** A lock service behind its own client library. Implementations have a constructor without parameters. */
public interface LockService {
    /**
     * Opens one session with a connection of its own.
     *
     * @param endpoints {@code host:port} of every server, separated by commas
     */
    Session open(String endpoints) throws Exception;
}
