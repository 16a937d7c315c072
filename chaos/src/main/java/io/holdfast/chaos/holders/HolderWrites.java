package io.holdfast.chaos.holders;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.PutResult;
import io.holdfast.model.Operation;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One session's writes to a value of its own, one compare-and-set after the other: as nobody else writes there, one that is
 * applied twice, or not at all though it was answered, makes the next one fail (R2.7).
 *
 * <p><b>Thread:</b> one begins writes; answers come on the client's.
 */
final class HolderWrites {
    private static final byte[] VALUE = "v".getBytes(StandardCharsets.UTF_8);

    private final HoldfastClient client;
    private final String path;
    private final HistoryWriter history;
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong version = new AtomicLong(Operation.MUST_NOT_EXIST);

    HolderWrites(HoldfastClient client, String path, HistoryWriter history) {
        this.client = client;
        this.path = path;
        this.history = history;
    }

    /** Begins the next one, unless the last was not answered yet. */
    void next() {
        if (running.compareAndSet(false, true)) {
            var unused = client.values().putAsync(path, VALUE, version.get()).whenComplete(this::answered);
        }
    }

    private void answered(@Nullable PutResult done, @Nullable Throwable failure) {
        if (done == null) {
            history.unexpected(path + ": version " + version.get() + " could not be replaced: " + failure);
            return; // and no further writes: what there is now is not known
        }
        if (done.version() != version.get() + 1) {
            history.unexpected(path + ": version " + version.get() + " was replaced by " + done.version());
        }
        version.set(done.version());
        history.created(path + "/" + done.version());
        running.set(false);
    }
}
