package io.holdfast.proxy.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Server;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.protocol.codec.UpstreamCodec;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.link.LinkListener;
import io.holdfast.protocol.link.UpstreamConnection;
import io.holdfast.protocol.proto.DownMessage;
import io.holdfast.protocol.proto.HoldfastUpstreamGrpc;
import io.holdfast.protocol.proto.UpFrame;
import io.holdfast.protocol.proto.UpMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real link on the loopback. */
@Timeout(120)
final class GrpcUpstreamTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String LOOPBACK_V6 = "::1";

    private final WireThreads threads = new WireThreads(2, "test-wire");
    private final GrpcUpstream upstream = new GrpcUpstream(threads, 4 << 20);
    private final LeaderStub leader = new LeaderStub();
    private Server server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.shutdownNow();
        }
        threads.close();
    }

    @Test
    void framesTravelInOrderBothWays() throws Exception {
        listen(0);
        Recorder recorder = new Recorder();
        UpstreamConnection link = upstream.dial("r2", recorder);
        assertThat(Await.next(recorder.events)).isEqualTo("opened");
        for (int i = 1; i <= 1_000; i++) {
            link.send(new UpstreamFrame.StreamClosed(i));
        }
        for (int i = 1; i <= 1_000; i++) {
            assertThat(Await.next(leader.frames)).isEqualTo(new UpstreamFrame.StreamClosed(i));
        }

        StreamObserver<DownMessage> down = Await.next(leader.links);
        for (int i = 1; i <= 100; i++) {
            UpstreamCodec.encodeDown(List.of(new DownstreamFrame.NotLeader("n" + i)))
                    .forEach(down::onNext);
        }
        for (int i = 1; i <= 100; i++) {
            assertThat(Await.next(recorder.events)).isEqualTo("NotLeader[reason=n" + i + "]");
        }
    }

    @Test
    void aLinkEndsWithItsServerAndADialAfterItsReturnReachesIt() throws Exception {
        int port = listen(0);
        Recorder first = new Recorder();
        upstream.dial("r2", first);
        assertThat(Await.next(first.events)).isEqualTo("opened");

        server.shutdownNow().awaitTermination();
        assertThat(Await.next(first.events)).isEqualTo("closed");
        Recorder unreachable = new Recorder();
        upstream.dial("r2", unreachable);
        assertThat(Await.next(unreachable.events)).isEqualTo("closed");

        listen(port);
        Recorder second = new Recorder();
        UpstreamConnection link = upstream.dial("r2", second);
        assertThat(Await.next(second.events)).isEqualTo("opened");
        link.send(new UpstreamFrame.StreamClosed(7));
        assertThat(Await.next(leader.frames)).isEqualTo(new UpstreamFrame.StreamClosed(7));
    }

    @Test
    void aReplicaAtAnIpv6AddressIsReached() throws Exception {
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName(LOOPBACK_V6)) != null, "no IPv6 here");
        server = threads.server(new InetSocketAddress(LOOPBACK_V6, 0))
                .addService(leader)
                .build()
                .start();
        upstream.setReplica("r2", "[::1]:" + server.getPort());
        Recorder recorder = new Recorder();

        upstream.dial("r2", recorder);

        assertThat(Await.next(recorder.events)).isEqualTo("opened");
    }

    @Test
    void aReplicaWithoutAnAddressIsToldAtOnce() throws Exception {
        Recorder recorder = new Recorder();
        upstream.dial("r9", recorder).send(new UpstreamFrame.StreamClosed(1));

        assertThat(Await.next(recorder.events)).isEqualTo("closed");
    }

    @Test
    void closingEndsTheLinkAtTheLeaderAndSaysNothingMore() throws Exception {
        listen(0);
        Recorder recorder = new Recorder();
        UpstreamConnection link = upstream.dial("r2", recorder);
        assertThat(Await.next(recorder.events)).isEqualTo("opened");

        link.close();

        assertThat(Await.next(leader.gone)).isEqualTo("gone");
        assertThat(recorder.events).isEmpty();
    }

    @Test
    void aLeaderThatDoesNotReadEndsTheLink() throws Exception {
        leader.reads = false;
        listen(0);
        Recorder recorder = new Recorder();
        UpstreamConnection link = upstream.dial("r2", recorder);
        assertThat(Await.next(recorder.events)).isEqualTo("opened");

        Operation large = new Operation.Put(NodePath.ROOT, new byte[65_536], -2);
        for (int i = 0; i < 1_000 && recorder.events.isEmpty(); i++) {
            link.send(new UpstreamFrame.Forward(1, new ClientFrame.OneShot(1, large)));
        }

        assertThat(Await.next(recorder.events)).isEqualTo("closed");
    }

    private int listen(int port) throws Exception {
        server = threads.server(new InetSocketAddress(LOOPBACK, port))
                .addService(leader)
                .build()
                .start();
        upstream.setReplica("r2", LOOPBACK + ":" + server.getPort());
        return server.getPort();
    }

    private static final class Recorder implements LinkListener {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void opened() {
            events.add("opened");
        }

        @Override
        public void received(DownstreamFrame frame) {
            events.add(frame.toString());
        }

        @Override
        public void closed(String reason) {
            events.add("closed");
        }
    }

    private static final class LeaderStub extends HoldfastUpstreamGrpc.HoldfastUpstreamImplBase {
        private final BlockingQueue<UpstreamFrame> frames = new LinkedBlockingQueue<>();
        private final BlockingQueue<StreamObserver<DownMessage>> links = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> gone = new LinkedBlockingQueue<>();
        private volatile boolean reads = true;

        @Override
        public StreamObserver<UpMessage> link(StreamObserver<DownMessage> answers) {
            links.add(answers);
            ServerCallStreamObserver<DownMessage> call = (ServerCallStreamObserver<DownMessage>) answers;
            call.setOnCancelHandler(() -> gone.add("gone"));
            if (!reads) {
                call.disableAutoRequest();
            }
            return new StreamObserver<>() {
                @Override
                public void onNext(UpMessage message) {
                    try {
                        for (UpFrame frame : message.getFramesList()) {
                            frames.add(UpstreamCodec.decode(frame));
                        }
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }

                @Override
                public void onError(Throwable cause) {}

                @Override
                public void onCompleted() {}
            };
        }
    }
}
