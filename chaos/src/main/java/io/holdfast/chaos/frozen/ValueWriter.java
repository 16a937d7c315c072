package io.holdfast.chaos.frozen;

import io.holdfast.client.BadVersionException;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.Value;
import io.holdfast.client.Values;
import io.holdfast.model.Operation;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes the value that the round is about, one compare-and-set after the other, through the replicas that are not frozen. A
 * write of unknown fate cannot come back later: its version is overtaken by the next one.
 *
 * <p><b>Thread:</b> its own.
 */
final class ValueWriter implements Runnable {
    private static final long PAUSE_MILLIS = 2;

    private final Values values;
    private final String path;
    private final NewestValue newest;
    private final AtomicLong acknowledged = new AtomicLong();
    private volatile boolean finished;

    ValueWriter(HoldfastClient client, String path, NewestValue newest) {
        this.values = client.values();
        this.path = path;
        this.newest = newest;
    }

    long acknowledged() {
        return acknowledged.get();
    }

    void finish() {
        finished = true;
    }

    @Override
    public void run() {
        long version = Operation.MUST_NOT_EXIST;
        boolean known = false;
        while (!finished) {
            try {
                if (!known) {
                    version = values.get(path).map(Value::version).orElse(Operation.MUST_NOT_EXIST);
                    newest.seen(version);
                    known = true;
                }
                byte[] bytes = Long.toString(version).getBytes(StandardCharsets.UTF_8);
                version = values.put(path, bytes, version).version();
                newest.seen(version);
                acknowledged.incrementAndGet();
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (BadVersionException overtaken) {
                known = false;
            } catch (HoldfastException noAnswer) {
                known = false;
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }
}
