package io.holdfast.proxy.grpc;

import io.holdfast.protocol.frame.ServerFrame;

/**
 * The way back to one client.
 *
 * <p><b>Thread:</b> the front end's. Must return at once; must bound what waits by cutting the client off.
 */
public interface ClientSink {
    void send(ServerFrame frame);

    /** Ends the stream after what was sent. */
    void close(String reason);
}
