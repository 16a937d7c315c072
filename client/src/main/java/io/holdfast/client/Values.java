package io.holdfast.client;

import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * Configuration values: up to 65,536 bytes at a path, with a version that starts at 0 and rises with every write.
 *
 * <p>Reads are linearizable. Writes are applied at most once, also when the client repeats them (R2.7); missing parents are
 * created. A write whose answer never came throws {@link UnknownOutcomeException}; one that certainly was not done throws
 * {@link UnreachableException}. A wrong version throws {@link BadVersionException}, a missing node {@link RefusedException} with
 * {@link ErrorCode#NOT_FOUND}.
 *
 * <p><b>Thread:</b> any.
 */
public final class Values {
    private final CallDesk desk;
    private final boolean withSession;

    Values(CallDesk desk, boolean withSession) {
        this.desk = desk;
        this.withSession = withSession;
    }

    /**
     * The same values, for tools that write once and go: writes open no session and are never repeated once sent, so a broken
     * connection makes their outcome unknown.
     */
    public Values withoutSession() {
        return new Values(desk, false);
    }

    public Optional<Value> get(String path) {
        return desk.call(GET, read(path));
    }

    public CompletableFuture<Optional<Value>> getAsync(String path) {
        return desk.async(GET, read(path));
    }

    /** Writes whatever is there. */
    public PutResult put(String path, byte[] bytes) {
        return desk.call(PUT, write(path, bytes, Operation.ANY_VERSION));
    }

    public CompletableFuture<PutResult> putAsync(String path, byte[] bytes) {
        return desk.async(PUT, write(path, bytes, Operation.ANY_VERSION));
    }

    /** Writes if the version is this one; -1 if it must not exist. */
    public PutResult put(String path, byte[] bytes, long expectedVersion) {
        return desk.call(PUT, write(path, bytes, checked(expectedVersion)));
    }

    public CompletableFuture<PutResult> putAsync(String path, byte[] bytes, long expectedVersion) {
        return desk.async(PUT, write(path, bytes, checked(expectedVersion)));
    }

    /** Writes if there is none. */
    public PutResult create(String path, byte[] bytes) {
        return put(path, bytes, Operation.MUST_NOT_EXIST);
    }

    public CompletableFuture<PutResult> createAsync(String path, byte[] bytes) {
        return putAsync(path, bytes, Operation.MUST_NOT_EXIST);
    }

    public void delete(String path) {
        desk.call(DELETE, remove(path, Operation.ANY_VERSION));
    }

    public CompletableFuture<Boolean> deleteAsync(String path) {
        return desk.async(DELETE, remove(path, Operation.ANY_VERSION));
    }

    /** Deletes if the version is this one. */
    public void delete(String path, long expectedVersion) {
        desk.call(DELETE, remove(path, checkedExisting(expectedVersion)));
    }

    public CompletableFuture<Boolean> deleteAsync(String path, long expectedVersion) {
        return desk.async(DELETE, remove(path, checkedExisting(expectedVersion)));
    }

    /** The names of all children in name order, page by page; changes in between may or may not be seen. */
    public List<String> list(String path) {
        return children(path).all(desk);
    }

    public CompletableFuture<List<String>> listAsync(String path) {
        return children(path).allAsync(desk);
    }

    private static final CallKind<Optional<Value>> GET = CallDesk.kind(Answer.Value.class, answer -> {
        byte[] bytes = answer.value();
        return bytes == null
                ? Optional.empty()
                : Optional.of(new Value(
                        answer.path().value(),
                        bytes.clone(),
                        answer.version(),
                        answer.createRevision(),
                        answer.modifyRevision()));
    });

    private static final CallKind<PutResult> PUT = CallDesk.kind(
            Outcome.Written.class,
            written -> new PutResult(written.path().value(), written.version(), written.revision(), written.created()));

    private static final CallKind<Boolean> DELETE = CallDesk.kind(Outcome.Deleted.class, deleted -> true);

    private LongFunction<SessionEvent> read(String path) {
        Query query = new Query.GetValue(Paths.parse(path));
        return id -> new SessionEvent.Read(id, query, desk.timeoutNanos());
    }

    private LongFunction<SessionEvent> write(String path, byte[] bytes, long expectedVersion) {
        if (bytes.length > Limits.MAX_VALUE_BYTES) {
            throw new RefusedException(
                    ErrorCode.TOO_LARGE,
                    "put " + path + ": the value has " + bytes.length + " bytes, at most " + Limits.MAX_VALUE_BYTES
                            + " are allowed");
        }
        return change(new Operation.Put(Paths.parse(path), bytes.clone(), expectedVersion));
    }

    private LongFunction<SessionEvent> remove(String path, long expectedVersion) {
        return change(new Operation.Delete(Paths.parse(path), expectedVersion));
    }

    private LongFunction<SessionEvent> change(Operation operation) {
        return id -> withSession
                ? new SessionEvent.Submit(id, operation, desk.timeoutNanos())
                : new SessionEvent.OneShot(id, operation, desk.timeoutNanos());
    }

    private static long checked(long expectedVersion) {
        if (expectedVersion < Operation.MUST_NOT_EXIST) {
            throw new RefusedException(
                    ErrorCode.INVALID,
                    "expected version " + expectedVersion + " is out of range: 0 or more, or -1 if it must not exist");
        }
        return expectedVersion;
    }

    private static long checkedExisting(long expectedVersion) {
        if (expectedVersion < 0) {
            throw new RefusedException(
                    ErrorCode.INVALID, "expected version " + expectedVersion + " is out of range: 0 or more");
        }
        return expectedVersion;
    }

    private static Pages<Answer.Children, String, String> children(String path) {
        NodePath parsed = Paths.parse(path);
        return new Pages<>(
                Answer.Children.class,
                "",
                after -> new Query.ListChildren(parsed, after, Limits.MAX_PAGE_ENTRIES),
                page -> new Pages.Page<>(page.names(), page.more()),
                name -> name);
    }
}
