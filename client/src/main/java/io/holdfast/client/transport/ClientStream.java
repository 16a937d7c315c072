package io.holdfast.client.transport;

import io.holdfast.protocol.frame.ClientFrame;

/** One ordered stream to a cell. Any thread; never blocks, never throws. */
public interface ClientStream {
    /** Frames sent before it is connected are kept; frames sent after it broke are dropped. */
    void send(ClientFrame frame);

    /** Gives it up. The listener hears nothing more, or at most {@link StreamListener#closed}. */
    void close();
}
