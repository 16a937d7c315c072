package io.holdfast.proxy.grpc;

import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.link.LinkListener;
import io.holdfast.protocol.link.UpstreamConnection;
import io.holdfast.protocol.link.UpstreamDialer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A leader in the same process: keeps what it is sent, says what the test wants. */
final class FakeLeader implements UpstreamDialer {
    final BlockingQueue<UpstreamFrame> frames = new LinkedBlockingQueue<>();
    final BlockingQueue<LinkListener> links = new LinkedBlockingQueue<>();

    @Override
    public UpstreamConnection dial(String replica, LinkListener listener) {
        links.add(listener);
        listener.opened();
        return new UpstreamConnection() {
            @Override
            public void send(UpstreamFrame frame) {
                frames.add(frame);
            }

            @Override
            public void close() {}
        };
    }

    static DownstreamFrame.Deliver deliver(long stream, io.holdfast.protocol.frame.ServerFrame frame) {
        return new DownstreamFrame.Deliver(stream, frame);
    }
}
