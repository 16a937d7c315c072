package io.holdfast.server.parts;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerServiceDefinition;
import io.holdfast.proxy.grpc.FrontEndLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that clients are served on, and how they are let go.
 *
 * <p><b>Thread:</b> one starts and stops it; both block for a bounded time.
 */
final class ClientPort implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClientPort.class);
    /** Moving clients connect elsewhere, and so fast the others can take them. */
    private static final long SPREAD_MILLIS_PER_CLIENT = 1;

    private final FrontEndLoop loop;
    private final Server server;

    private ClientPort(FrontEndLoop loop, Server server) {
        this.loop = loop;
        this.server = server;
    }

    /**
     * Listens.
     *
     * @param builder made for the binding's address
     * @throws StartFailedException if the port cannot be used
     */
    static ClientPort open(
            Binding binding, ServerBuilder<?> builder, FrontEndLoop loop, List<ServerServiceDefinition> services) {
        services.forEach(builder::addService);
        return new ClientPort(loop, binding.start(builder));
    }

    /**
     * Lets nobody in any more, asks the clients to move to another endpoint, and waits until they have.
     *
     * @param mostSpreadMillis their moves are spread over so long at most
     * @param mostMillis waits no longer; those that are left then lose their connection, not their session
     */
    void drain(String reason, long mostSpreadMillis, long mostMillis) {
        server.shutdown(); // connections that are open stay
        int clients = loop.clients();
        if (clients == 0) {
            return;
        }
        long spread = Math.min(mostSpreadMillis, clients * SPREAD_MILLIS_PER_CLIENT);
        log.info("asks {} clients to move", clients);
        CompletableFuture<Void> drained = loop.drain(reason, spread);
        try {
            drained.get(mostMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException some) {
            log.warn("{} clients have not moved within {} ms and are disconnected", loop.clients(), mostMillis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        server.shutdown(); // before the loop: whoever came between would get no word
        loop.close();
        Binding.stop(server);
    }
}
