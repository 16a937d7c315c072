package io.holdfast.server.http;

import io.holdfast.client.Admin;
import io.holdfast.client.Leader;
import io.holdfast.model.FencingToken;
import io.holdfast.server.http.wire.Call;
import io.holdfast.server.http.wire.JsonFields;
import io.holdfast.server.http.wire.Reply;
import io.holdfast.server.http.wire.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions with short answers: {@code /v1/cell}, {@code /v1/elections}, {@code /v1/tokens/check}.
 *
 * <p><b>Thread:</b> any; waits for nothing.
 */
final class CellRoutes {
    private final Supplier<Backend> backend;

    CellRoutes(Supplier<Backend> backend) {
        this.backend = backend;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/v1/cell", Set.of(), this::cell),
                Route.get("/v1/elections", Set.of("name"), this::election),
                new Route("POST", "/v1/tokens/check", Set.of(), Route.Effect.NONE, this::checkToken));
    }

    private Admin admin(Call call) {
        return backend.get().client().admin().callTimeout(call.remaining());
    }

    private CompletableFuture<Reply> cell(Call call) {
        return admin(call).statusOfAllAsync().thenApply(status -> Reply.json(200, CellDocument.of(status)));
    }

    private CompletableFuture<Reply> election(Call call) {
        String name = Fields.path("name", call.requiredParameter("name")).value();
        return backend.get()
                .client()
                .election(name)
                .callTimeout(call.remaining())
                .leaderAsync()
                .thenApply(leader -> Reply.json(200, document(name, leader)));
    }

    /** As {@code holdfast leader --output json}. That nobody leads is an answer: normal for a moment between two leads. */
    private static Map<String, @Nullable Object> document(String name, Optional<Leader> leader) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("election", name);
        document.put("leader", leader.map(Leader::value).orElse(null));
        leader.ifPresent(found -> {
            document.put("token", found.token().value());
            document.put("place", found.place());
            document.put("client", found.clientName());
        });
        return document;
    }

    private CompletableFuture<Reply> checkToken(Call call) {
        return call.body(LeaseRoutes.MAX_JSON_BYTES).thenCompose(body -> {
            JsonFields fields = JsonFields.of(body, List.of("name", "token"));
            String name = fields.string("name");
            FencingToken token = new FencingToken(fields.number("token"));
            return isCurrent(call, name, token).thenApply(current -> Reply.json(200, Map.of("current", current)));
        });
    }

    /** A name that starts with a slash is a lock's path, any other a leased lock's. */
    private CompletableFuture<Boolean> isCurrent(Call call, String name, FencingToken token) {
        if (name.startsWith("/")) {
            return admin(call).checkTokenAsync(Fields.path("name", name).value(), token);
        }
        return backend.get()
                .leases()
                .inspect(Fields.leaseName("name", name), call.remaining())
                .thenApply(lease -> lease.isPresent() && lease.get().token().equals(token));
    }
}
