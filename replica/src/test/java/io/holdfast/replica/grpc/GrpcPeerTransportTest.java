package io.holdfast.replica.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.proto.HoldfastPeerGrpc;
import io.holdfast.protocol.proto.PeerMessage;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.LoopInput;
import io.holdfast.replica.PeerFrame;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two replicas on the loopback. */
@Timeout(180)
final class GrpcPeerTransportTest {
    private final WireThreads threads = new WireThreads(2, "test-wire");
    private final Node r1 = new Node("r1");
    private final Node r2 = new Node("r2");

    @BeforeEach
    void start() throws Exception {
        r1.listen(0);
        r2.listen(0);
    }

    @AfterEach
    void stop() {
        r1.stop();
        r2.stop();
        threads.close();
    }

    @Test
    void framesArriveInOrder() throws Exception {
        r1.dial(r2);
        r1.sendUntilHeard(r2);

        for (int i = 1; i <= 1_000; i++) {
            r1.transport.send("r2", r1.greeting("n" + i));
        }
        for (int i = 1; i <= 1_000; i++) {
            assertThat(r2.nextFrame()).isEqualTo(r1.greeting("n" + i));
        }
    }

    @Test
    void frameForAnUnknownOrUnreachablePeerAreDroppedAndNothingIsPosted() throws Exception {
        r2.server.shutdownNow().awaitTermination();
        r1.dial(r2);
        r1.transport.send("r2", r1.greeting("lost"));
        r1.transport.send("r9", r1.greeting("lost"));
        r2.listenAgain(r2.port);
        r1.sendUntilHeard(r2);

        assertThat(r1.inputs).isEmpty();
    }

    /** The connections of a peer that dies close: both its ends say so, at once and once each. */
    @Test
    void whenAPeerDiesItsClosingIsPostedAndItIsDialledUntilItIsBack() throws Exception {
        r1.dial(r2);
        r2.dial(r1);
        r1.sendUntilHeard(r2);
        r2.sendUntilHeard(r1);

        r2.stop();

        assertThat(r1.nextClosed()).isEqualTo("r2");
        assertThat(r1.nextClosed()).isEqualTo("r2");
        Node again = new Node("r2");
        again.listenAgain(r2.port);
        try {
            r1.sendUntilHeard(again);
            assertThat(r1.inputs).isEmpty();
        } finally {
            again.stop();
        }
    }

    @Test
    void aPeerWithANewAddressIsDialledThere() throws Exception {
        r1.dial(r2);
        r1.sendUntilHeard(r2);
        Node moved = new Node("r2");
        moved.listen(0);
        try {
            r1.dial(moved);
            r1.sendUntilHeard(moved);
            assertThat(r1.inputs).isEmpty();
            r1.transport.removePeer("r2");
        } finally {
            moved.stop();
        }
    }

    @Test
    void aPeerAtAnIpv6AddressIsReached() throws Exception {
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName("::1")) != null, "no IPv6 here");
        Node v6 = new Node("r3");
        v6.server = threads.server(new InetSocketAddress("::1", 0))
                .addService(v6.transport.service())
                .build()
                .start();
        try {
            r1.transport.setPeer("r3", "[::1]:" + v6.server.getPort());
            r1.sendUntilHeard(v6);
        } finally {
            v6.stop();
        }
    }

    @Test
    void garbageEndsTheStreamWithAReason() throws Exception {
        ManagedChannel channel = threads.channel("127.0.0.1:" + r2.port);
        BlockingQueue<Throwable> ended = new LinkedBlockingQueue<>();
        StreamObserver<PeerMessage> stream = HoldfastPeerGrpc.newStub(channel).exchange(new StreamObserver<>() {
            @Override
            public void onNext(PeerMessage message) {}

            @Override
            public void onError(Throwable cause) {
                ended.add(cause);
            }

            @Override
            public void onCompleted() {}
        });
        stream.onNext(PeerMessage.newBuilder().setVersion(1).build());

        Status status = Status.fromThrowable(Await.next(ended));
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).startsWith("frame");
        channel.shutdownNow();
    }

    /** A replica as far as its peers can see. */
    private final class Node {
        private final String name;
        private final GrpcPeerTransport transport = new GrpcPeerTransport(threads);
        private final BlockingQueue<LoopInput> inputs = new LinkedBlockingQueue<>();
        private Server server;
        private int port;

        Node(String name) {
            this.name = name;
            transport.start(inputs::add);
        }

        void listen(int onPort) throws Exception {
            server = threads.server(new InetSocketAddress("127.0.0.1", onPort))
                    .addService(transport.service())
                    .build()
                    .start();
            port = server.getPort();
        }

        /** At a port of before: that is free only when the selector has let the old socket go, which nothing tells of. */
        void listenAgain(int onPort) throws Exception {
            boolean open = true;
            while (open) {
                try (Socket probe = new Socket("127.0.0.1", onPort)) {
                    open = probe.isConnected();
                } catch (ConnectException refused) {
                    open = false;
                } catch (SocketException reset) {
                    // It is just being let go.
                }
            }
            listen(onPort);
        }

        void dial(Node other) {
            transport.setPeer(other.name, "127.0.0.1:" + other.port);
        }

        void stop() {
            transport.close();
            server.shutdownNow();
        }

        PeerFrame greeting(String text) {
            return new PeerFrame.Greeting(new ReplicaId(name + "@1"), text, List.of(), List.of());
        }

        /** Frames are dropped until the connection stands: sends until one arrives, then waits for all of them. */
        void sendUntilHeard(Node other) throws InterruptedException {
            LoopInput first = null;
            for (int i = 0; i < 6_000 && first == null; i++) {
                transport.send(other.name, greeting("knock"));
                first = other.inputs.poll(10, java.util.concurrent.TimeUnit.MILLISECONDS);
            }
            assertThat(first).isInstanceOf(LoopInput.FromPeer.class);
            transport.send(other.name, greeting("end"));
            while (!other.nextFrame().equals(greeting("end"))) {
                // knocks that were under way
            }
        }

        PeerFrame nextFrame() throws InterruptedException {
            return ((LoopInput.FromPeer) Await.next(inputs)).frame();
        }

        String nextClosed() throws InterruptedException {
            return ((LoopInput.PeerClosed) Await.next(inputs)).peer();
        }
    }
}
