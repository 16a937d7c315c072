package io.holdfast.server.http.wire;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.servlet.DefaultTasks;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LowResourceMonitor;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * An HTTP port: Javalin with the limits that a port needs which strangers reach.
 *
 * <p>Javalin starts and stops the server and keeps requests alive that wait. Which request goes where is decided by a {@link
 * RouteTable}, by the method and the path as they were sent.
 *
 * <p><b>Thread:</b> one starts and closes it. Requests are answered by a few threads of its own; none of them waits for a client or for
 * an answer.
 *
 * <p><b>Source:</b> ADR 0016.
 */
public final class HttpServer implements AutoCloseable {
    private static final int MAX_THREADS = 16;
    private static final int MIN_THREADS = 1;
    private static final int ACCEPTORS = 1;
    private static final int SELECTORS = 1;
    private static final int BACKLOG = 1_024;

    private final HttpLimits limits;
    private final Exchanges exchanges;
    private final ConnectionWatch watch;
    private final ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler("holdfast-http-timer", true);
    private final Javalin app;

    private HttpServer(String host, int port, HttpLimits limits, Exchanges.Answers answers) {
        this.limits = limits;
        this.watch = new ConnectionWatch(limits, scheduler);
        this.exchanges = new Exchanges(answers, limits, watch, HostNames.of(host));
        this.app = Javalin.create(config -> configure(config, host, port));
    }

    /**
     * Listens.
     *
     * @param port 0 for one that is free
     * @throws RuntimeException if the port cannot be used
     */
    public static HttpServer start(String host, int port, HttpLimits limits, Exchanges.Answers answers) {
        HttpServer server = new HttpServer(host, port, limits, answers);
        server.app.start();
        return server;
    }

    private void configure(JavalinConfig config, String host, int port) {
        config.startup.showJavalinBanner = false;
        config.startup.startupWatcherEnabled = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.requestLifeCycle(DefaultTasks.INSTANCE.getBEFORE());
        config.routes.before(context -> context.future(() -> exchanges.serve(context.req(), context.res())));
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
        threads.setName("holdfast-http");
        config.jetty.threadPool = threads;
        config.jetty.modifyServer(this::prepare);
        config.jetty.modifyHttpConfiguration(this::limit);
        config.jetty.modifyServletContextHandler(
                handler -> handler.setErrorHandler(new BareErrors(limits.headerBytes())));
        config.jetty.addConnector((server, http) -> connector(server, http, host, port));
    }

    private void prepare(Server server) {
        // It would cut waiting requests off when the few threads are busy.
        server.getBeans(LowResourceMonitor.class).forEach(server::removeBean);
        server.setErrorHandler(new BareErrors(limits.headerBytes()));
        server.addBean(scheduler);
    }

    private void limit(HttpConfiguration http) {
        http.setRequestHeaderSize(limits.headerBytes());
        http.setSendServerVersion(false);
        // Nothing here uses the path as the server decodes it; what is wrong with it is said by name.
        http.setUriCompliance(UriCompliance.UNSAFE);
    }

    private Connector connector(Server server, HttpConfiguration http, String host, int port) {
        ServerConnector connector = new ServerConnector(server, ACCEPTORS, SELECTORS, new HttpConnectionFactory(http));
        connector.setHost(host);
        connector.setPort(port);
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(limits.idleMillis());
        connector.addEventListener(watch);
        server.addBean(new NetworkConnectionLimit(limits.connections(), connector));
        return connector;
    }

    public int port() {
        return app.port();
    }

    @Override
    public void close() {
        app.stop();
    }
}
