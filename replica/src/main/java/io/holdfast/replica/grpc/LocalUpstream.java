package io.holdfast.replica.grpc;

import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.link.LinkListener;
import io.holdfast.protocol.link.UpstreamConnection;
import io.holdfast.protocol.link.UpstreamDialer;

/**
 * Links from the front end in the same process to its replica's loop, with the same order as over gRPC.
 *
 * <p>The listener hears frames on the loop's thread.
 */
public final class LocalUpstream implements UpstreamDialer {
    private final UpstreamLinks links;

    public LocalUpstream(UpstreamLinks links) {
        this.links = links;
    }

    /** Opens at once; the name is not looked at. */
    @Override
    public UpstreamConnection dial(String replica, LinkListener listener) {
        long link = links.register(new LocalPort(listener));
        listener.opened();
        return new UpstreamConnection() {
            @Override
            public void send(UpstreamFrame frame) {
                links.received(link, frame);
            }

            @Override
            public void close() {
                links.ended(link);
            }
        };
    }

    private record LocalPort(LinkListener listener) implements UpstreamLinks.Port {
        @Override
        public boolean deliver(DownstreamFrame frame) {
            listener.received(frame);
            return true;
        }

        @Override
        public void close() {
            listener.closed("the replica ended the link");
        }

        @Override
        public void cut(String reason) {
            listener.closed(reason);
        }
    }
}
