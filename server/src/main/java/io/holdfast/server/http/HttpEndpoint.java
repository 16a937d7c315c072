package io.holdfast.server.http;

import io.holdfast.client.HoldfastClient;
import io.holdfast.server.http.leases.ClientLeases;
import io.holdfast.server.http.leases.LeaseCalls;
import io.holdfast.server.http.wire.Exchanges;
import io.holdfast.server.http.wire.HttpLimits;
import io.holdfast.server.http.wire.HttpServer;
import io.holdfast.server.http.wire.Problem;
import io.holdfast.server.http.wire.Route;
import io.holdfast.server.http.wire.RouteTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP port: health and metrics from the start, and the gateway, which asks the cell as any client does. Whoever has a client of a
 * cell can open one: a replica, a development cell, a proxy.
 *
 * <p>Before {@link #serve} nothing is ready, and whatever needs the cell is answered {@code 503 UNAVAILABLE}, definitely not done.
 *
 * <p><b>Thread:</b> one starts and stops it; {@link #serve} may come from another. Requests wait for the cell without holding a thread.
 *
 * <p><b>Source:</b> ADR 0016.
 */
public final class HttpEndpoint implements AutoCloseable {
    /** Why a replica is not ready before it serves. */
    public static final String NOT_FORMED =
            "the cell is not formed yet: its first start takes all of its members; the log says for whom it waits";

    private final String notServing;
    private final RouteTable routes;
    private final HttpServer server;
    private volatile @Nullable Backend backend;
    private volatile boolean closed;

    private HttpEndpoint(String host, int port, HttpLimits limits, Supplier<String> metrics, String notServing) {
        this.notServing = notServing;
        this.routes = routes(this::backend, metrics);
        this.server = HttpServer.start(host, port, limits, new Exchanges.Answers(routes, Explanations::of));
    }

    /**
     * Listens.
     *
     * @param metrics in the text form of Prometheus; asked on any thread
     * @param notServing what callers are told before {@link #serve}
     * @throws RuntimeException if the port cannot be used
     */
    public static HttpEndpoint start(String host, int port, Supplier<String> metrics, String notServing) {
        return new HttpEndpoint(host, port, HttpLimits.DEFAULT, metrics, notServing);
    }

    /** Of a replica, with other limits. */
    static HttpEndpoint start(String host, int port, HttpLimits limits, Supplier<String> metrics) {
        return new HttpEndpoint(host, port, limits, metrics, NOT_FORMED);
    }

    private static RouteTable routes(Supplier<Backend> backend, Supplier<String> metrics) {
        List<Route> all = new ArrayList<>();
        all.addAll(new HealthRoutes(backend, metrics).routes());
        all.addAll(new CellRoutes(backend).routes());
        all.addAll(new ListingRoutes(backend).routes());
        all.addAll(new ValueRoutes(backend).routes());
        all.addAll(new LeaseRoutes(backend).routes());
        return new RouteTable(all);
    }

    private Backend backend() {
        Backend asking = backend;
        if (asking == null) {
            throw Problem.unavailable(notServing, Problem.Outcome.DEFINITE);
        }
        return asking;
    }

    /**
     * The cell is formed and can be asked.
     *
     * @param asking asks it; closed with the endpoint
     * @param shards how many cells the names of leased locks are spread over
     */
    public void serve(HoldfastClient asking, int shards) {
        serve(asking, new ClientLeases(asking, shards));
    }

    /** The same, with other leased locks. */
    void serve(HoldfastClient asking, LeaseCalls leases) {
        backend = new Backend(asking, leases);
        if (closed) {
            asking.close();
        }
    }

    RouteTable routes() {
        return routes;
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        closed = true;
        Backend asking = backend;
        if (asking != null) {
            asking.client().close();
        }
    }
}
