package io.holdfast.server.parts;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.holdfast.server.config.HostPort;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An address to listen on, with what an operator calls it.
 *
 * @param setting the key or flag that sets it, for messages
 */
public record Binding(HostPort address, String setting) {
    private static final long STOP_MILLIS = 300;

    /** For binding; a name is looked up. */
    public InetSocketAddress socketAddress() {
        return new InetSocketAddress(address.host(), address.port());
    }

    /** Starts a server whose builder was made with {@link #socketAddress()}. */
    public Server start(ServerBuilder<?> builder) {
        try {
            return builder.build().start();
        } catch (IOException failed) {
            throw failure(failed);
        }
    }

    /** Why it could not be bound, for an operator. */
    public StartFailedException failure(Throwable failed) {
        if (isInUse(failed)) {
            return new StartFailedException(
                    setting + ": port " + address.port() + " on " + address.host()
                            + " is in use already; stop what uses it or set another one",
                    failed);
        }
        return new StartFailedException(setting + ": cannot listen on " + address + ": " + rootMessage(failed), failed);
    }

    /** Stops a server within a bounded time. */
    public static void stop(@Nullable Server server) {
        if (server == null) {
            return;
        }
        server.shutdownNow();
        try {
            server.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isInUse(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if ((cause instanceof BindException && !message.contains("Cannot assign"))
                    || message.contains("Address already in use")) {
                return true;
            }
        }
        return false;
    }

    private static String rootMessage(Throwable failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
