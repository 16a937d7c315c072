package io.holdfast.bench.server;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** Waits for servers. */
final class Await {
    private static final long POLL_MILLIS = 100;

    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    private Await() {}

    /**
     * Returns when it holds; an IOException counts as not yet.
     *
     * @throws IllegalStateException with the end of a log if a server ends meanwhile or it takes too long
     */
    static void until(String what, Collection<ServerProcess> servers, long seconds, Condition condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!holds(condition)) {
            for (ServerProcess server : servers) {
                if (!server.isAlive()) {
                    throw new IllegalStateException(
                            server.name() + " ended while waiting for " + what + ":\n" + server.tail());
                }
            }
            if (System.nanoTime() - deadline > 0) {
                ServerProcess first = servers.iterator().next();
                throw new IllegalStateException(
                        what + " did not come within " + seconds + " s; " + first.name() + " says:\n" + first.tail());
            }
            sleep();
        }
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
