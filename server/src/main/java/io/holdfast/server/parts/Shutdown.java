package io.holdfast.server.parts;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what was started, last first, once.
 *
 * <p><b>Thread:</b> any. What is added after closing is closed at once.
 */
public final class Shutdown implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private boolean closed;

    /** Will be closed before what was added earlier. */
    public synchronized <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        if (closed) {
            close();
        }
        return part;
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception failed) {
                log.warn("stopping {}: {}", part.getClass().getSimpleName(), failed.toString());
            }
        }
    }
}
