package io.holdfast.server.http;

import io.holdfast.client.BadVersionException;
import io.holdfast.client.PutResult;
import io.holdfast.client.Value;
import io.holdfast.client.Values;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.server.http.wire.Call;
import io.holdfast.server.http.wire.Problem;
import io.holdfast.server.http.wire.Reply;
import io.holdfast.server.http.wire.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * {@code /v1/values/PATH}: configuration values as raw bytes, their version as {@code ETag}, compare-and-set by the conditions of HTTP.
 *
 * <p>A write is sent to the cell once and never repeated, so a broken connection within the cell makes its outcome unknown, and the
 * reply says so.
 *
 * <p><b>Thread:</b> any; waits for nothing.
 */
final class ValueRoutes {
    private static final String PREFIX = "/v1/values";
    private static final String PATH = PREFIX + "/{path}";

    private final Supplier<Backend> backend;

    ValueRoutes(Supplier<Backend> backend) {
        this.backend = backend;
    }

    List<Route> routes() {
        return List.of(
                Route.get(PATH, Set.of(), this::get),
                new Route("PUT", PATH, Set.of(), Route.Effect.CHANGES, this::put),
                new Route("DELETE", PATH, Set.of(), Route.Effect.CHANGES, this::delete));
    }

    private Values values(Call call) {
        return backend.get().client().values().withoutSession().callTimeout(call.remaining());
    }

    private CompletableFuture<Reply> get(Call call) {
        NodePath path = Fields.pathBehind(PREFIX, call);
        Preconditions conditions = Preconditions.of(call);
        return values(call).getAsync(path.value()).thenApply(found -> {
            Reply reply = read(path, found, conditions);
            call.reserveForReply(reply.body().length);
            return reply;
        });
    }

    private static Reply read(NodePath path, Optional<Value> found, Preconditions conditions) {
        Value value = found.orElseThrow(() -> Problem.notFound("there is no value at " + path));
        if (conditions.match().isPresent() && !conditions.match().get().fits(value.version())) {
            throw otherVersion(path + " has version " + value.version());
        }
        boolean known = conditions.noneMatch().isPresent()
                && conditions.noneMatch().get().fits(value.version());
        Reply reply = known ? Reply.empty(304) : new Reply(200, Reply.BYTES, value.bytes(), Map.of());
        return reply.with("ETag", tag(value.version()))
                .with("Cache-Control", "no-cache")
                .with("X-Content-Type-Options", "nosniff");
    }

    private CompletableFuture<Reply> put(Call call) {
        NodePath path = Fields.pathBehind(PREFIX, call);
        Preconditions conditions = Preconditions.ofWrite(call);
        var unused = backend.get(); // refused before the body is read
        return call.body(Limits.MAX_VALUE_BYTES)
                .thenCompose(bytes -> write(call, path, bytes, conditions))
                .thenApply(ValueRoutes::written);
    }

    private CompletableFuture<PutResult> write(Call call, NodePath path, byte[] bytes, Preconditions conditions) {
        if (conditions.noneMatch().isPresent()) {
            return values(call).createAsync(path.value(), bytes);
        }
        if (conditions.match().isEmpty()) {
            return values(call).putAsync(path.value(), bytes);
        }
        Preconditions.Tag tag = conditions.match().get();
        return tag.version().isPresent()
                ? values(call).putAsync(path.value(), bytes, tag.version().getAsLong())
                : overwrite(call, path, bytes);
    }

    /** {@code If-Match: *}: the cell knows no such condition, so what is there is read and replaced, again if it changed meanwhile. */
    private CompletableFuture<PutResult> overwrite(Call call, NodePath path, byte[] bytes) {
        return values(call).getAsync(path.value()).thenCompose(found -> {
            long version = found.orElseThrow(() -> otherVersion(path + " has no value"))
                    .version();
            return values(call)
                    .putAsync(path.value(), bytes, version)
                    .thenApply(CompletableFuture::completedFuture)
                    .exceptionally(problem -> {
                        boolean changed = Call.causeOf(problem) instanceof BadVersionException;
                        return changed ? overwrite(call, path, bytes) : CompletableFuture.failedFuture(problem);
                    })
                    .thenCompose(next -> next);
        });
    }

    private static Reply written(PutResult result) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("path", result.path());
        document.put("version", result.version());
        document.put("revision", result.revision());
        document.put("created", result.created());
        return Reply.json(result.created() ? 201 : 200, document).with("ETag", tag(result.version()));
    }

    private CompletableFuture<Reply> delete(Call call) {
        NodePath path = Fields.pathBehind(PREFIX, call);
        Optional<Preconditions.Tag> match = Preconditions.ofDelete(call).match();
        long expected = match.isPresent() ? match.get().version().orElse(Operation.ANY_VERSION) : Operation.ANY_VERSION;
        CompletableFuture<Boolean> deleted = expected == Operation.ANY_VERSION
                ? values(call).deleteAsync(path.value())
                : values(call).deleteAsync(path.value(), expected);
        return deleted.thenApply(done -> Reply.json(200, Map.of()));
    }

    private static String tag(long version) {
        return "\"" + version + "\"";
    }

    private static Problem otherVersion(String message) {
        return new Problem(412, "BAD_VERSION", message);
    }
}
