package io.holdfast.client;

import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Configuration values: up to 65,536 bytes at a path, with a version that starts at 0 and rises with every write.
 *
 * <p>Reads are linearizable, those too that are answered from the client's cache (see {@link HoldfastClientBuilder#cache}). Writes are applied at most once, also when the client repeats them (R2.7); missing parents are
 * created. A write whose answer never came throws {@link UnknownOutcomeException}; one that certainly was not done throws
 * {@link UnreachableException}. A wrong version throws {@link BadVersionException}, a missing node {@link RefusedException} with
 * {@link ErrorCode#NOT_FOUND}.
 *
 * <p><b>Thread:</b> any.
 */
public final class Values {
    private final CallDesk desk;
    private final boolean withSession;
    private final NodeWatches watches;

    Values(CallDesk desk, boolean withSession) {
        this.desk = desk;
        this.withSession = withSession;
        this.watches = new NodeWatches(desk);
    }

    /**
     * The same values, for tools that write once and go: reads and writes open no session (watches do), reads always ask the cell, and
     * writes are never repeated once sent, so a broken connection makes their outcome unknown.
     */
    public Values withoutSession() {
        return new Values(desk, false);
    }

    /**
     * The same values, whose calls the cell may take so long to answer; the client's call timeout by default.
     *
     * @throws RefusedException unless it is more than 0 and at most 24 h
     */
    public Values callTimeout(Duration timeout) {
        return new Values(desk.withTimeout(HoldfastClientBuilder.checkedTimeout("call timeout", timeout)), withSession);
    }

    /**
     * The value, answered from the client's cache if it is there: never older than the newest write that was acknowledged to anybody
     * before this call. Empty if there is none.
     */
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

    /**
     * A page of the names of the children in name order, for lists that are too long to be held at once. A page is a state that
     * was; between two pages the children may change.
     *
     * @param afterName begins behind this name, which need not exist; empty for the first page
     * @param limit at most so many, 1 to {@link Limits#MAX_PAGE_ENTRIES}
     */
    public ChildrenPage list(String path, String afterName, int limit) {
        return desk.call(PAGE, readPage(path, afterName, limit));
    }

    public CompletableFuture<ChildrenPage> listAsync(String path, String afterName, int limit) {
        return desk.async(PAGE, readPage(path, afterName, limit));
    }

    // ---- watching

    /**
     * Reads, and has {@code watcher} told once when there is something newer than what was read: set, deleted, deleted and made
     * again. The watch stands from exactly the answer on, survives reconnects and fail-overs, and is used up by its event. A
     * watcher that wants to go on calls this again: that reads and watches in one.
     *
     * <p>Watches need a session, and open one. {@code watcher} is told of its end too. It is called on the callback executor, after
     * the answer was handed over, exactly once unless the watch is closed before.
     */
    public Watched<Optional<Value>> getAndWatch(String path, Consumer<WatchEvent> watcher) {
        return watches.watch(watches.value(Paths.parse(path), watcher));
    }

    public CompletableFuture<Watched<Optional<Value>>> getAndWatchAsync(String path, Consumer<WatchEvent> watcher) {
        return watches.watchAsync(watches.value(Paths.parse(path), watcher));
    }

    /**
     * As {@link #getAndWatch}, for the names of the children in name order; empty if there is no node. A place in a lock's queue is
     * a child of the lock, a member of a group one of the group. The watch stands from the first page of a long list on.
     */
    public Watched<List<String>> listAndWatch(String path, Consumer<WatchEvent> watcher) {
        NodePath parsed = Paths.parse(path);
        Watched<Answer.Children> first = watches.watch(watches.children(parsed, watcher));
        try {
            List<String> names = new ArrayList<>(first.state().names());
            if (first.state().more()) {
                children(path).allAfter(desk, names);
            }
            return new Watched<>(List.copyOf(names), first::close);
        } catch (RuntimeException e) {
            first.close();
            throw e;
        }
    }

    public CompletableFuture<Watched<List<String>>> listAndWatchAsync(String path, Consumer<WatchEvent> watcher) {
        CompletableFuture<Watched<Answer.Children>> first =
                watches.watchAsync(watches.children(Paths.parse(path), watcher));
        CompletableFuture<Watched<List<String>>> all = new CompletableFuture<>();
        var unusedCancelling = all.whenComplete((found, problem) -> {
            if (problem != null) { // failed or cancelled: nobody wants the watch
                first.cancel(false);
                var unusedClosing = first.thenAccept(Watched::close);
            }
        });
        var unused = first.whenComplete((page, problem) -> {
            if (problem != null) {
                all.completeExceptionally(problem);
            } else {
                addRest(path, page, all);
            }
        });
        return all;
    }

    private void addRest(String path, Watched<Answer.Children> page, CompletableFuture<Watched<List<String>>> all) {
        if (!page.state().more()) {
            all.complete(new Watched<>(List.copyOf(page.state().names()), page::close));
            return;
        }
        CompletableFuture<List<String>> names =
                children(path).allAfterAsync(desk, new ArrayList<>(page.state().names()));
        var unusedCancelling = all.whenComplete((found, problem) -> names.cancel(true));
        var unused = names.whenComplete((found, problem) -> {
            if (problem != null) {
                all.completeExceptionally(problem);
            } else {
                all.complete(new Watched<>(List.copyOf(found), page::close));
            }
        });
    }

    /** As {@link #getAndWatch}, for whether there is a node at a path, of any kind. */
    public Watched<Boolean> existsAndWatch(String path, Consumer<WatchEvent> watcher) {
        return watches.watch(watches.existence(Paths.parse(path), watcher));
    }

    public CompletableFuture<Watched<Boolean>> existsAndWatchAsync(String path, Consumer<WatchEvent> watcher) {
        return watches.watchAsync(watches.existence(Paths.parse(path), watcher));
    }

    /**
     * Follows a value: {@code listener} is told the present state, then newer ones, across reconnects and fail-overs, until the
     * subscription is closed or the session ends. See {@link WatchListener} for what is certain when. Returns at once; the first
     * state comes when the cell has answered.
     */
    public Subscription listen(String path, WatchListener<Optional<Value>> listener) {
        return watches.listenValue(Paths.parse(path), listener);
    }

    /**
     * As {@link #listen}, for the names of the children in name order; empty if there is no node. A list of more than 1,000 names
     * that changes without pause may be told as it was in the midst of a change; the list after it follows.
     */
    public Subscription listenChildren(String path, WatchListener<List<String>> listener) {
        return watches.listenChildren(Paths.parse(path), listener);
    }

    /** As {@link #listen}, for whether there is a node at a path; told again when it was made anew. */
    public Subscription listenExistence(String path, WatchListener<Boolean> listener) {
        return watches.listenExistence(Paths.parse(path), listener);
    }

    /** Several writes, all or none. */
    public Batch batch() {
        return new Batch(desk, withSession);
    }

    private static final CallKind<Optional<Value>> GET = CallDesk.kind(Answer.Value.class, NodeWatches::value);

    private static final CallKind<PutResult> PUT = CallDesk.kind(
            Outcome.Written.class,
            written -> new PutResult(written.path().value(), written.version(), written.revision(), written.created()));

    private static final CallKind<Boolean> DELETE = CallDesk.kind(Outcome.Deleted.class, deleted -> true);

    private static final CallKind<ChildrenPage> PAGE =
            CallDesk.kind(Answer.Children.class, page -> new ChildrenPage(page.names(), page.more()));

    private LongFunction<SessionEvent> readPage(String path, String afterName, int limit) {
        Query query = new Query.ListChildren(Paths.parse(path), afterName, limit);
        return id -> new SessionEvent.Read(id, query, desk.timeoutNanos());
    }

    private LongFunction<SessionEvent> read(String path) {
        Query query = new Query.GetValue(Paths.parse(path));
        return id -> new SessionEvent.Read(id, query, desk.timeoutNanos(), withSession);
    }

    private LongFunction<SessionEvent> write(String path, byte[] bytes, long expectedVersion) {
        return change(new Operation.Put(Paths.parse(path), checked(path, bytes), expectedVersion));
    }

    /** A copy of a value that is not too large. */
    static byte[] checked(String path, byte[] bytes) {
        if (bytes.length > Limits.MAX_VALUE_BYTES) {
            throw new RefusedException(
                    ErrorCode.TOO_LARGE,
                    "put " + path + ": the value has " + bytes.length + " bytes, at most " + Limits.MAX_VALUE_BYTES
                            + " are allowed");
        }
        return bytes.clone();
    }

    private LongFunction<SessionEvent> remove(String path, long expectedVersion) {
        return change(new Operation.Delete(Paths.parse(path), expectedVersion));
    }

    private LongFunction<SessionEvent> change(Operation operation) {
        return id -> withSession
                ? new SessionEvent.Submit(id, operation, desk.timeoutNanos())
                : new SessionEvent.OneShot(id, operation, desk.timeoutNanos());
    }

    static long checked(long expectedVersion) {
        if (expectedVersion < Operation.MUST_NOT_EXIST) {
            throw new RefusedException(
                    ErrorCode.INVALID,
                    "expected version " + expectedVersion + " is out of range: 0 or more, or -1 if it must not exist");
        }
        return expectedVersion;
    }

    static long checkedExisting(long expectedVersion) {
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
