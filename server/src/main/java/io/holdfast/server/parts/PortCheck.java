package io.holdfast.server.parts;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;

/** Finds an occupied port before any data is touched; the port itself is bound later, and that may still fail. */
public final class PortCheck {
    private PortCheck() {}

    /**
     * Checks them in order.
     *
     * @throws StartFailedException naming the first that cannot be bound
     */
    public static void requireFree(List<Binding> bindings) {
        for (Binding binding : bindings) {
            try (ServerSocket socket = new ServerSocket()) {
                // As servers do: a port whose old connections are still winding down is free.
                socket.setReuseAddress(true);
                socket.bind(binding.socketAddress());
            } catch (IOException | IllegalArgumentException failed) {
                throw binding.failure(failed);
            }
        }
    }
}
