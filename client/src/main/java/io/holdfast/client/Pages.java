package io.holdfast.client;

import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A list that is read page by page.
 *
 * @param type of one page's answer
 * @param first cursor of the first page
 * @param query for the page after a cursor
 * @param page what an answer holds
 * @param cursor of an entry
 */
record Pages<A, E, C>(
        Class<A> type, C first, Function<C, Query> query, Function<A, Page<E>> page, Function<E, C> cursor) {
    /** One page. */
    record Page<E>(List<E> entries, boolean more) {}

    List<E> all(CallDesk desk) {
        List<E> found = new ArrayList<>();
        allAfter(desk, found);
        return found;
    }

    /** Adds all that comes after what was found. */
    void allAfter(CallDesk desk, List<E> found) {
        while (true) {
            Page<E> next = desk.call(CallDesk.kind(type, page), id -> read(id, desk, found));
            found.addAll(next.entries());
            if (!next.more() || next.entries().isEmpty()) {
                return;
            }
        }
    }

    CompletableFuture<List<E>> allAsync(CallDesk desk) {
        return allAfterAsync(desk, new ArrayList<>());
    }

    /** All that was found, and what comes after it. Cancelling it cancels the question that is under way, and none follows. */
    CompletableFuture<List<E>> allAfterAsync(CallDesk desk, List<E> found) {
        CompletableFuture<List<E>> all = new CompletableFuture<>();
        ask(desk, found, all);
        return all;
    }

    private void ask(CallDesk desk, List<E> found, CompletableFuture<List<E>> all) {
        CompletableFuture<Page<E>> asked = desk.async(CallDesk.kind(type, page), id -> read(id, desk, found));
        var unusedCancelling = all.whenComplete((entries, problem) -> asked.cancel(true));
        var unused = asked.whenComplete((next, problem) -> {
            if (problem != null) {
                all.completeExceptionally(problem);
                return;
            }
            found.addAll(next.entries());
            if (!next.more() || next.entries().isEmpty()) {
                all.complete(found);
            } else if (!all.isDone()) {
                ask(desk, found, all);
            }
        });
    }

    private SessionEvent read(long id, CallDesk desk, List<E> found) {
        C after = found.isEmpty() ? first : cursor.apply(found.get(found.size() - 1));
        return new SessionEvent.Read(id, query.apply(after), desk.timeoutNanos());
    }
}
