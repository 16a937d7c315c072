package io.holdfast.client;

import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Several writes that are applied all at once, at one revision, or not at all.
 *
 * <pre>{@code
 * client.values().batch()
 *         .check("/config/schema", 7)
 *         .put("/config/a", a, versionOfA)
 *         .delete("/config/b")
 *         .commit();
 * }</pre>
 *
 * <p>At most 128 items and 512 KB of values and paths, each path once; what would exceed that is refused with a {@link
 * RefusedException} where it is added, and the batch stays as it was. Applied at most once, like every write.
 *
 * <p><b>Thread:</b> one at a time.
 */
public final class Batch {
    private final CallDesk desk;
    private final boolean withSession;
    private final List<Operation.BatchItem> items = new ArrayList<>();
    private long contentBytes;

    Batch(CallDesk desk, boolean withSession) {
        this.desk = desk;
        this.withSession = withSession;
    }

    /** Writes whatever is there. */
    public Batch put(String path, byte[] bytes) {
        return add(new Operation.Put(Paths.parse(path), Values.checked(path, bytes), Operation.ANY_VERSION));
    }

    /** Writes if the version is this one; -1 if it must not exist. */
    public Batch put(String path, byte[] bytes, long expectedVersion) {
        return add(new Operation.Put(Paths.parse(path), Values.checked(path, bytes), Values.checked(expectedVersion)));
    }

    /** Writes if there is none. */
    public Batch create(String path, byte[] bytes) {
        return put(path, bytes, Operation.MUST_NOT_EXIST);
    }

    public Batch delete(String path) {
        return add(new Operation.Delete(Paths.parse(path), Operation.ANY_VERSION));
    }

    /** Deletes if the version is this one. */
    public Batch delete(String path, long expectedVersion) {
        return add(new Operation.Delete(Paths.parse(path), Values.checkedExisting(expectedVersion)));
    }

    /** Changes nothing, and refuses the batch unless the version is this one; -1 if it must not exist. */
    public Batch check(String path, long expectedVersion) {
        return add(new Operation.Check(Paths.parse(path), Values.checked(expectedVersion)));
    }

    private Batch add(Operation.BatchItem item) {
        if (items.size() == Limits.MAX_BATCH_ITEMS) {
            throw new RefusedException(
                    ErrorCode.TOO_LARGE, "a batch has at most " + Limits.MAX_BATCH_ITEMS + " items; begin another one");
        }
        long bytes = contentBytes + Operation.contentBytes(item);
        if (bytes > Limits.MAX_BATCH_CONTENT_BYTES) {
            // Refused here: the cell may not even be able to read it, and would end the stream.
            throw new RefusedException(
                    ErrorCode.TOO_LARGE,
                    "with " + item.path() + " the values and paths of the batch have " + bytes + " bytes, the limit is "
                            + Limits.MAX_BATCH_CONTENT_BYTES + "; begin another one");
        }
        contentBytes = bytes;
        items.add(item);
        return this;
    }

    /**
     * Writes it.
     *
     * @throws BatchRefusedException names the item because of which nothing was done
     * @throws UnknownOutcomeException if the answer never came
     */
    public BatchResult commit() {
        return desk.call(KIND, event());
    }

    public CompletableFuture<BatchResult> commitAsync() {
        return desk.async(KIND, event());
    }

    private LongFunction<SessionEvent> event() {
        Operation operation = new Operation.Batch(items);
        return id -> withSession
                ? new SessionEvent.Submit(id, operation, desk.timeoutNanos())
                : new SessionEvent.OneShot(id, operation, desk.timeoutNanos());
    }

    private static final CallKind<BatchResult> KIND = new CallKind<>() {
        @Override
        BatchResult of(Object result) {
            Outcome.Batched batched = (Outcome.Batched) result;
            return new BatchResult(batched.revision(), batched.versions());
        }

        @Override
        @Nullable
        HoldfastException refusal(Object result) {
            if (!(result instanceof Outcome.BatchRefused refused)) {
                return null;
            }
            String what = refused.item() < 0 ? "the batch" : "item " + refused.item() + " of the batch";
            String message = what + " was refused (" + refused.code() + "), nothing was done: " + refused.message();
            return new BatchRefusedException(refused.item(), refused.code(), message);
        }
    };
}
