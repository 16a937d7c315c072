package io.holdfast.proxy.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.codec.ClientCodec;
import io.holdfast.protocol.codec.Fields;
import io.holdfast.protocol.codec.ServerCodec;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.link.LinkListener;
import io.holdfast.protocol.proto.ClientBody;
import io.holdfast.protocol.proto.ClientMessage;
import io.holdfast.protocol.proto.HoldfastClientGrpc;
import io.holdfast.protocol.proto.OperationMessage;
import io.holdfast.protocol.proto.PutOperation;
import io.holdfast.protocol.proto.RequestFrame;
import io.holdfast.protocol.proto.ServerMessage;
import io.holdfast.proxy.core.FrontEndConfig;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real server and real clients on the loopback. */
@Timeout(120)
final class ClientServiceTest {
    private static final int MAX_WAITING_BYTES = 1 << 20;

    private final WireThreads threads = new WireThreads(2, "test-wire");
    private final FakeLeader leader = new FakeLeader();
    private final FrontEndLoop loop = new FrontEndLoop(FrontEndConfig.of("main", "d1", "r1"), leader, threads.next());
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        loop.start();
        server = threads.server(new InetSocketAddress("127.0.0.1", 0))
                .addService(new ClientService(loop, threads, MAX_WAITING_BYTES).service())
                .build()
                .start();
        channel = threads.channel("127.0.0.1:" + server.getPort());
        loop.leaderKnown("r1", 1);
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.shutdownNow();
        loop.close();
        threads.close();
    }

    @Test
    void framesArriveInOrderAndSoDoAnswers() throws Exception {
        Client client = new Client(channel);
        assertThat(client.next()).isEqualTo(new ServerFrame.Hello("main", "d1", "r1"));
        LinkListener link = Await.next(leader.links);

        for (int i = 1; i <= 500; i++) {
            client.send(new ClientFrame.Read(i, new Query.CellStatus()));
        }
        for (int i = 1; i <= 500; i++) {
            UpstreamFrame.Forward forward = (UpstreamFrame.Forward) Await.next(leader.frames);
            assertThat(((ClientFrame.Read) forward.frame()).callId()).isEqualTo(i);
            link.received(FakeLeader.deliver(
                    forward.stream(), new ServerFrame.ReadReply(i, new Answer.TokenCheck(i % 2 == 0))));
        }
        for (int i = 1; i <= 500; i++) {
            assertThat(client.next()).isEqualTo(new ServerFrame.ReadReply(i, new Answer.TokenCheck(i % 2 == 0)));
        }
    }

    @Test
    void aBadFrameIsRefusedByItsIdAndTheStreamGoesOn() throws Exception {
        Client client = new Client(channel);
        client.next();
        client.sendMessage(ClientMessage.newBuilder()
                .setVersion(Fields.VERSION)
                .setBody(ClientBody.newBuilder()
                        .setRequest(RequestFrame.newBuilder()
                                .setRequestId(3)
                                .setOperation(OperationMessage.newBuilder()
                                        .setPut(PutOperation.newBuilder()
                                                .setPath("/v")
                                                .setValue(ByteString.copyFrom(new byte[65_537]))))))
                .build());
        client.send(new ClientFrame.KeepAlive(1));

        ServerFrame.Refused refused = (ServerFrame.Refused) client.next();
        assertThat(refused.id()).isEqualTo(3);
        assertThat(refused.code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(refused.message()).contains("65536");
        assertThat(Await.next(leader.frames)).isInstanceOf(UpstreamFrame.Forward.class);
    }

    @Test
    void garbageEndsTheStreamWithAReason() throws Exception {
        Client client = new Client(channel);
        client.next();
        client.sendBytes(new byte[] {1, 2, 3, 4, 5, 6, 7, -1});

        Status status = Await.next(client.ended);
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).startsWith("version");
        assertThat(new Client(channel).next()).isInstanceOf(ServerFrame.Hello.class);
    }

    @Test
    void aClientThatGoesIsToldToTheLeader() throws Exception {
        Client client = new Client(channel);
        client.next();
        client.send(new ClientFrame.Read(1, new Query.CellStatus()));
        UpstreamFrame.Forward forward = (UpstreamFrame.Forward) Await.next(leader.frames);

        client.call.cancel("gone", null);

        assertThat(Await.next(leader.frames)).isEqualTo(new UpstreamFrame.StreamClosed(forward.stream()));
    }

    @Test
    void aClientThatDoesNotReadIsCutOffAndOthersAreNot() throws Exception {
        Client slow = new Client(channel);
        slow.next();
        slow.paused = true;
        slow.send(new ClientFrame.Read(1, new Query.CellStatus()));
        Client other = new Client(channel);
        other.next();
        LinkListener link = Await.next(leader.links);
        long slowStream = ((UpstreamFrame.Forward) Await.next(leader.frames)).stream();
        other.send(new ClientFrame.Read(1, new Query.CellStatus()));
        long otherStream = ((UpstreamFrame.Forward) Await.next(leader.frames)).stream();

        Answer large = new Answer.Value(NodePath.ROOT, new byte[65_536], 0, 0, 0);
        for (int i = 0; i < 200; i++) {
            link.received(FakeLeader.deliver(slowStream, new ServerFrame.ReadReply(1, large)));
        }
        link.received(FakeLeader.deliver(otherStream, new ServerFrame.Reply(1, new Outcome.SessionClosed())));

        assertThat(other.next()).isEqualTo(new ServerFrame.Reply(1, new Outcome.SessionClosed()));
        assertThat(Await.next(leader.frames)).isEqualTo(new UpstreamFrame.StreamClosed(slowStream));
        slow.paused = false;
        slow.call.request(1_000);
        assertThat(Await.next(slow.ended).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }

    /** R5.4, C97: many events in small frames count as well. */
    @Test
    void aClientThatDoesNotReadItsEventsDelaysOnlyItself() throws Exception {
        Client slow = new Client(channel);
        slow.next();
        slow.paused = true;
        slow.send(new ClientFrame.Read(1, new Query.CellStatus()));
        Client other = new Client(channel);
        other.next();
        LinkListener link = Await.next(leader.links);
        long slowStream = ((UpstreamFrame.Forward) Await.next(leader.frames)).stream();
        other.send(new ClientFrame.Read(1, new Query.CellStatus()));
        long otherStream = ((UpstreamFrame.Forward) Await.next(leader.frames)).stream();

        SessionId session = new SessionId(7);
        List<Long> fired = LongStream.range(0, 10_000).boxed().toList();
        for (int i = 0; i < 200; i++) {
            link.received(FakeLeader.deliver(slowStream, new ServerFrame.WatchesFired(session, i, fired)));
        }
        ServerFrame event = new ServerFrame.WatchesFired(session, 1, List.of(1L));
        link.received(FakeLeader.deliver(otherStream, event));

        assertThat(other.next()).isEqualTo(event);
        assertThat(Await.next(leader.frames)).isEqualTo(new UpstreamFrame.StreamClosed(slowStream));
    }

    @Test
    void aBrokenLinkInterruptsTheClientAndTheNextFramesGoOnANewOne() throws Exception {
        Client client = new Client(channel);
        client.next();
        client.send(new ClientFrame.OneShot(1, new Operation.Delete(NodePath.ROOT, -2)));
        Await.next(leader.frames);

        Await.next(leader.links).closed("cut");
        assertThat(client.next()).isInstanceOf(ServerFrame.Interrupted.class);
        Await.next(leader.links);
        client.send(new ClientFrame.Read(2, new Query.CellStatus()));

        UpstreamFrame.Forward forward = (UpstreamFrame.Forward) Await.next(leader.frames);
        assertThat(forward.frame()).isInstanceOf(ClientFrame.Read.class);
    }

    @Test
    void closingTheLoopEndsClientsAsUnavailable() throws Exception {
        Client client = new Client(channel);
        client.next();

        loop.close();

        assertThat(Await.next(client.ended).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    /** Sends raw bytes and reads frames. */
    private static final class Client extends ClientCall.Listener<ServerMessage> {
        private static final MethodDescriptor.Marshaller<byte[]> RAW = new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(byte[] value) {
                return new ByteArrayInputStream(value);
            }

            @Override
            public byte[] parse(InputStream stream) {
                throw new UnsupportedOperationException();
            }
        };

        private final BlockingQueue<ServerFrame> frames = new LinkedBlockingQueue<>();
        private final BlockingQueue<Status> ended = new LinkedBlockingQueue<>();
        private final ClientCall<byte[], ServerMessage> call;
        private volatile boolean paused;

        Client(ManagedChannel channel) {
            MethodDescriptor<ClientMessage, ServerMessage> method = HoldfastClientGrpc.getStreamMethod();
            call = channel.newCall(
                    method.toBuilder(RAW, method.getResponseMarshaller()).build(), CallOptions.DEFAULT);
            call.start(this, new Metadata());
            call.request(1);
        }

        void send(ClientFrame frame) {
            sendMessage(ClientCodec.encode(frame));
        }

        void sendMessage(ClientMessage message) {
            sendBytes(message.toByteArray());
        }

        void sendBytes(byte[] bytes) {
            call.sendMessage(bytes);
        }

        ServerFrame next() throws InterruptedException {
            return Await.next(frames);
        }

        @Override
        public void onMessage(ServerMessage message) {
            try {
                frames.add(ServerCodec.decode(message));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            if (!paused) {
                call.request(1);
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            ended.add(status);
        }
    }
}
