package io.holdfast.server.http;

import io.holdfast.client.Admin;
import io.holdfast.model.Answer;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import io.holdfast.server.http.wire.Call;
import io.holdfast.server.http.wire.Reply;
import io.holdfast.server.http.wire.Route;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * {@code /v1/locks} and {@code /v1/sessions}: whole lists, read from the cell page by page, kept as the bytes that will be sent. Each
 * page is a state that was; between two pages places may come and go.
 *
 * <p><b>Thread:</b> any; waits for nothing.
 */
final class ListingRoutes {
    private final Supplier<Backend> backend;

    ListingRoutes(Supplier<Backend> backend) {
        this.backend = backend;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/v1/locks", Set.of("prefix"), this::locks),
                Route.get("/v1/sessions", Set.of(), this::sessions));
    }

    private Admin admin(Call call) {
        return backend.get().client().admin().callTimeout(call.remaining());
    }

    private CompletableFuture<Reply> locks(Call call) {
        NodePath prefix = Fields.path("prefix", call.parameter("prefix").orElse("/"));
        LockListing listing = new LockListing(call::reserveForReply);
        return places(call, prefix, NodePath.ROOT, listing).thenApply(done -> listing.reply());
    }

    private CompletableFuture<Void> places(Call call, NodePath prefix, NodePath after, PlaceTaking taking) {
        return admin(call)
                .locksPageAsync(prefix.value(), after.value(), Limits.MAX_PAGE_ENTRIES)
                .thenCompose(page -> {
                    page.places().forEach(taking::take);
                    if (!page.more() || page.places().isEmpty()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    Answer.PlaceInfo last = page.places().get(page.places().size() - 1);
                    return places(call, prefix, last.place(), taking);
                });
    }

    /** The places first, so that what each session holds is known when it is written. */
    private CompletableFuture<Reply> sessions(Call call) {
        SessionListing listing = new SessionListing(call::reserveForReply);
        return places(call, NodePath.ROOT, NodePath.ROOT, listing::own)
                .thenCompose(done -> sessions(call, new SessionId(0), listing))
                .thenApply(done -> listing.reply());
    }

    private CompletableFuture<Void> sessions(Call call, SessionId after, SessionListing listing) {
        return admin(call).sessionsPageAsync(after, Limits.MAX_PAGE_ENTRIES).thenCompose(page -> {
            page.sessions().forEach(listing::take);
            if (!page.more() || page.sessions().isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            SessionId last = page.sessions().get(page.sessions().size() - 1).session();
            return sessions(call, last, listing);
        });
    }

    /** Takes one place after the other. */
    interface PlaceTaking {
        void take(Answer.PlaceInfo place);
    }
}
