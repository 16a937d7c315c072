package io.holdfast.client;

import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** How values, children and existence are watched and listened to. */
final class NodeWatches {
    private final CallDesk desk;

    NodeWatches(CallDesk desk) {
        this.desk = desk;
    }

    SingleWatch<Optional<Value>> value(NodePath path, Consumer<WatchEvent> watcher) {
        return new SingleWatch<>(desk, new Query.GetValue(path), NodeWatches::value, watcher);
    }

    SingleWatch<Boolean> existence(NodePath path, Consumer<WatchEvent> watcher) {
        return new SingleWatch<>(desk, new Query.Stat(path), NodeWatches::exists, watcher);
    }

    /** With the first page of the names only, and whether there are more. */
    SingleWatch<Answer.Children> children(NodePath path, Consumer<WatchEvent> watcher) {
        return new SingleWatch<>(desk, firstPage(path), answer -> children(path, answer), watcher);
    }

    <T> Watched<T> watch(SingleWatch<T> watch) {
        return desk.callStarted(watch, watch.start());
    }

    <T> CompletableFuture<Watched<T>> watchAsync(SingleWatch<T> watch) {
        return desk.asyncStarted(watch, watch.start());
    }

    Subscription listenValue(NodePath path, WatchListener<Optional<Value>> listener) {
        return listen(new Query.GetValue(path), listener, NodeWatches::value);
    }

    Subscription listenChildren(NodePath path, WatchListener<List<String>> listener) {
        return listen(
                firstPage(path), listener, answer -> children(path, answer).names());
    }

    Subscription listenExistence(NodePath path, WatchListener<Boolean> listener) {
        return listen(new Query.Stat(path), listener, NodeWatches::exists);
    }

    private <T> Subscription listen(Query query, WatchListener<T> listener, Function<Answer, T> convert) {
        Telling<T> telling = new Telling<>(desk.callbacks, listener, convert);
        long id = desk.loop.watch(any -> new SessionEvent.Listen(any, query), null, telling);
        return () -> {
            telling.close();
            desk.loop.unwatch(id);
        };
    }

    private static Query firstPage(NodePath path) {
        return new Query.ListChildren(path, "", Limits.MAX_PAGE_ENTRIES);
    }

    static Optional<Value> value(Answer answer) {
        if (!(answer instanceof Answer.Value found) || found.value() == null) {
            return Optional.empty();
        }
        byte[] bytes = found.value();
        return Optional.of(new Value(
                found.path().value(), bytes.clone(), found.version(), found.createRevision(), found.modifyRevision()));
    }

    /** A node that is not there has no children: containers go with their last one. */
    private static Answer.Children children(NodePath path, Answer answer) {
        return answer instanceof Answer.Children found ? found : new Answer.Children(path, List.of(), false, 0);
    }

    private static boolean exists(Answer answer) {
        return answer instanceof Answer.NodeStat;
    }
}
