package io.holdfast.server.http;

import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.server.http.leases.LeaseCalls;
import io.holdfast.server.http.wire.Call;
import io.holdfast.server.http.wire.JsonFields;
import io.holdfast.server.http.wire.Problem;
import io.holdfast.server.http.wire.Reply;
import io.holdfast.server.http.wire.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * {@code /v1/leases}: leased locks. Nothing waits here; who is refused is told when to ask again.
 *
 * <p><b>Thread:</b> any; waits for nothing.
 *
 * <p><b>Source:</b> R7.1 to R7.4.
 */
final class LeaseRoutes {
    /** Of a request's JSON. */
    static final int MAX_JSON_BYTES = 16 << 10;

    private static final long MIN_LEASE_MILLIS = 1_000;
    private static final long DEFAULT_LEASE_MILLIS = 10_000;
    private static final long MAX_LEASE_MILLIS = 60_000;
    private static final List<String> WISH = List.of("name", "owner", "leaseMillis", "requestId");
    private static final List<String> CLAIM = List.of("name", "owner", "token");

    private final Supplier<Backend> backend;

    LeaseRoutes(Supplier<Backend> backend) {
        this.backend = backend;
    }

    List<Route> routes() {
        return List.of(
                changing("/v1/leases/acquire", this::acquire),
                changing("/v1/leases/renew", this::renew),
                changing("/v1/leases/release", this::release),
                Route.get("/v1/leases", Set.of("name"), this::inspect));
    }

    private static Route changing(String path, io.holdfast.server.http.wire.Answering answering) {
        return new Route("POST", path, Set.of(), Route.Effect.CHANGES, answering);
    }

    private LeaseCalls leases() {
        return backend.get().leases();
    }

    private CompletableFuture<Reply> acquire(Call call) {
        return call.body(MAX_JSON_BYTES).thenCompose(body -> {
            LeaseCalls.Wish wish = wish(JsonFields.of(body, WISH));
            return leases().acquire(wish, call.remaining()).thenApply(acquired -> reply(wish, acquired));
        });
    }

    private static LeaseCalls.Wish wish(JsonFields fields) {
        return new LeaseCalls.Wish(
                Fields.leaseName("name", fields.string("name")),
                Fields.text("owner", fields.string("owner"), Limits.MAX_NAME_BYTES),
                fields.numberBetween("leaseMillis", MIN_LEASE_MILLIS, MAX_LEASE_MILLIS, DEFAULT_LEASE_MILLIS),
                fields.optionalString("requestId")
                        .map(id -> Fields.text("requestId", id, Fields.MAX_REQUEST_ID_BYTES)));
    }

    private static Reply reply(LeaseCalls.Wish wish, LeaseCalls.Acquired acquired) {
        if (acquired instanceof LeaseCalls.Granted granted) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("name", wish.name());
            document.put("owner", wish.owner());
            document.put("token", granted.token().value());
            document.put("leaseMillis", granted.leaseMillis());
            return Reply.json(200, document);
        }
        LeaseCalls.Held held = (LeaseCalls.Held) acquired;
        long seconds = (held.retryAfterMillis() + 999) / 1_000;
        throw new Problem(409, "HELD", "the leased lock '" + wish.name() + "' is held")
                .with("retryAfterMillis", held.retryAfterMillis())
                .header("Retry-After", Long.toString(seconds));
    }

    private CompletableFuture<Reply> renew(Call call) {
        return call.body(MAX_JSON_BYTES).thenCompose(body -> {
            LeaseCalls.Claim claim = claim(JsonFields.of(body, CLAIM));
            return leases().renew(claim, call.remaining())
                    .thenApply(left -> Reply.json(200, Map.of("leaseMillis", left.orElseThrow(() -> lost(claim)))));
        });
    }

    private CompletableFuture<Reply> release(Call call) {
        return call.body(MAX_JSON_BYTES).thenCompose(body -> {
            LeaseCalls.Claim claim = claim(JsonFields.of(body, CLAIM));
            return leases().release(claim, call.remaining()).thenApply(released -> {
                if (!released) {
                    throw lost(claim);
                }
                return Reply.json(200, Map.of());
            });
        });
    }

    private static LeaseCalls.Claim claim(JsonFields fields) {
        return new LeaseCalls.Claim(
                Fields.leaseName("name", fields.string("name")),
                Fields.text("owner", fields.string("owner"), Limits.MAX_NAME_BYTES),
                new FencingToken(fields.number("token")));
    }

    private static Problem lost(LeaseCalls.Claim claim) {
        return new Problem(
                410,
                "LOST",
                "the leased lock '" + claim.name() + "' is not held by this owner with token " + claim.token());
    }

    private CompletableFuture<Reply> inspect(Call call) {
        String name = Fields.leaseName("name", call.requiredParameter("name"));
        return leases().inspect(name, call.remaining()).thenApply(found -> {
            LeaseCalls.Lease lease =
                    found.orElseThrow(() -> Problem.notFound("nobody holds the leased lock '" + name + "'"));
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("name", lease.name());
            document.put("owner", lease.owner());
            document.put("token", lease.token().value());
            document.put("remainingMillis", lease.remainingMillis());
            document.put("shard", lease.shard());
            return Reply.json(200, document);
        });
    }
}
