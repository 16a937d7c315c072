package io.holdfast.client.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.holdfast.client.ClientClosedException;
import io.holdfast.client.ClientNetwork;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import io.holdfast.client.fake.FakeCell;
import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.StreamListener;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.protocol.codec.ClientCodec;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.codec.ServerCodec;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.proto.ClientMessage;
import io.holdfast.protocol.proto.HoldfastClientGrpc;
import io.holdfast.protocol.proto.ServerMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The adapter over real sockets on loopback, against a fake cell. */
@Timeout(120)
final class GrpcTransportTest {
    private final FakeCell cell = new FakeCell();
    private final long started = System.nanoTime();
    private Server server;

    private int serve(String address) throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getByName(address), 0))
                .addService(new Front())
                .build()
                .start();
        return server.getPort();
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (server != null) {
            server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    /** Streams into the cell, one frame at a time. */
    private final class Front extends HoldfastClientGrpc.HoldfastClientImplBase {
        @Override
        public StreamObserver<ClientMessage> stream(StreamObserver<ServerMessage> out) {
            long number;
            synchronized (cell) {
                number = cell.connect(frame -> out.onNext(ServerCodec.encode(frame)));
            }
            return new StreamObserver<>() {
                @Override
                public void onNext(ClientMessage message) {
                    synchronized (cell) {
                        cell.at(System.nanoTime() - started);
                        cell.frame(number, decoded(message));
                    }
                }

                @Override
                public void onError(Throwable problem) {
                    onCompleted();
                }

                @Override
                public void onCompleted() {
                    synchronized (cell) {
                        cell.disconnect(number);
                    }
                }
            };
        }

        private ClientFrame decoded(ClientMessage message) {
            try {
                return ClientCodec.decode(message);
            } catch (MalformedFrameException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Collects what a stream says. */
    private static final class Collected implements StreamListener {
        final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

        @Override
        public void opened() {
            heard.add("opened");
        }

        @Override
        public void frame(ServerFrame frame) {
            heard.add(frame);
        }

        @Override
        public void closed(String reason) {
            heard.add("closed: " + reason);
        }
    }

    /** A thread of a pool ends a moment after its pool says so. */
    private static void assertNoThreadIsLeft() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("holdfast-client")) {
                assertThat(ended(thread)).as(thread.getName() + " has ended").isTrue();
            }
        }
    }

    private static boolean ended(Thread thread) {
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    @Test
    void aClientWorksOverTheWireAndLeavesNoThread() throws Exception {
        int port = serve("127.0.0.1");
        try (HoldfastClient client = HoldfastClient.connect("127.0.0.1:" + port)) {
            try (LockHold hold = client.lock("/jobs/reindex").acquire()) {
                assertThat(hold.isHeld()).isTrue();
                assertThat(client.admin().checkToken("/jobs/reindex", hold.token()))
                        .isTrue();
            }
            client.values().put("/config/big", new byte[65_536]);
            assertThat(client.values().get("/config/big").orElseThrow().bytes()).hasSize(65_536);
        }
        synchronized (cell) {
            assertThat(cell.sessionCount()).isZero();
        }
        assertNoThreadIsLeft();
    }

    private static long networkThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("holdfast-client-[0-9-]+"))
                .count();
    }

    @Test
    void manyClientsShareTheThreadsOfANetworkAndOneThatIsClosedLeavesThemToTheOthers() throws Exception {
        int port = serve("127.0.0.1");
        List<HoldfastClient> clients = new ArrayList<>();
        try (ClientNetwork network = ClientNetwork.withThreads(2)) {
            for (int i = 0; i < 20; i++) {
                HoldfastClient client = HoldfastClient.builder()
                        .endpoints(i % 2 == 0 ? "127.0.0.1:" + port : "localhost:" + port)
                        .network(network)
                        .build();
                clients.add(client);
                assertThat(client.lock("/l" + i).tryAcquire()).isPresent();
            }
            assertThat(networkThreads()).isLessThanOrEqualTo(2);
            clients.subList(0, 19).forEach(HoldfastClient::close);
            synchronized (cell) {
                assertThat(cell.sessionCount()).isEqualTo(1);
            }
            assertThat(clients.get(19).values().get("/a")).isEmpty();
            assertThatThrownBy(() -> clients.get(0).values().get("/a")).isInstanceOf(ClientClosedException.class);
            clients.get(19).close();
        }
        assertNoThreadIsLeft();
    }

    @Test
    void aClientWhoseNetworkWasClosedUnderItCountsAsClosed() throws Exception {
        int port = serve("127.0.0.1");
        ClientNetwork network = ClientNetwork.withThreads(1);
        try (HoldfastClient client = HoldfastClient.builder()
                .endpoints("127.0.0.1:" + port)
                .network(network)
                .build()) {
            LockHold hold = client.lock("/l").acquire();
            network.close();
            assertThatThrownBy(() -> client.values().get("/a")).isInstanceOf(ClientClosedException.class);
            assertThat(hold.isHeld()).isFalse();
        }
        assertNoThreadIsLeft();
    }

    @Test
    void aSharedTransportThatIsClosedOpensNothing() throws Exception {
        int port = serve("127.0.0.1");
        Collected collected = new Collected();
        try (NetworkThreads threads = NetworkThreads.shared(1)) {
            GrpcTransport transport = threads.transport();
            transport.close();
            transport.open("127.0.0.1:" + port, collected);
            assertThat(collected.heard.take()).isEqualTo("closed: the client is closed");
        }
    }

    @Test
    void anIpv6LiteralAndAHostNameAreReached() throws Exception {
        int port = serve("::1");
        try (HoldfastClient client = HoldfastClient.connect("[::1]:" + port)) {
            assertThat(client.values().get("/a")).isEmpty();
        }
    }

    @Test
    void c116ABadNameAndAClosedPortDoNotStopTheClient() throws Exception {
        int port = serve("127.0.0.1");
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        try (HoldfastClient client =
                HoldfastClient.connect("no-such-host.invalid:7420,127.0.0.1:" + closed + ",localhost:" + port)) {
            assertThat(client.values().get("/a")).isEmpty();
            assertThat(client.lock("/l").tryAcquire()).isPresent();
        }
        assertNoThreadIsLeft();
    }

    @Test
    void aClosedPortIsToldWithItsReason() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        Collected collected = new Collected();
        try (GrpcTransport transport = new GrpcTransport()) {
            transport.open("127.0.0.1:" + closed, collected);
            assertThat(collected.heard.take()).asString().startsWith("closed: ").contains("refused");
        }
    }

    @Test
    void aStreamThatIsClosedHereSaysNothingMore() throws Exception {
        int port = serve("127.0.0.1");
        Collected collected = new Collected();
        try (GrpcTransport transport = new GrpcTransport()) {
            ClientStream stream = transport.open("127.0.0.1:" + port, collected);
            assertThat(collected.heard.take()).isEqualTo("opened");
            assertThat(collected.heard.take()).isInstanceOf(ServerFrame.Hello.class);
            stream.send(new ClientFrame.Read(1, new Query.GetValue(new NodePath("/a"))));
            assertThat(collected.heard.take()).isInstanceOf(ServerFrame.ReadReply.class);
            stream.close();
            stream.send(new ClientFrame.Read(2, new Query.GetValue(new NodePath("/a"))));
        }
        assertThat(collected.heard).isEmpty();
        assertNoThreadIsLeft();
    }

    @Test
    void aServerThatGoesIsTold() throws Exception {
        int port = serve("127.0.0.1");
        Collected collected = new Collected();
        try (GrpcTransport transport = new GrpcTransport()) {
            transport.open("127.0.0.1:" + port, collected);
            collected.heard.take();
            collected.heard.take();
            server.shutdownNow();
            assertThat(collected.heard.take()).asString().startsWith("closed: ");
        }
    }
}
