package io.holdfast.replica.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.protocol.codec.UpstreamCodec;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.link.LinkListener;
import io.holdfast.protocol.link.UpstreamConnection;
import io.holdfast.protocol.proto.ClientBody;
import io.holdfast.protocol.proto.DownFrame;
import io.holdfast.protocol.proto.DownMessage;
import io.holdfast.protocol.proto.ForwardFrame;
import io.holdfast.protocol.proto.HoldfastUpstreamGrpc;
import io.holdfast.protocol.proto.RequestFrame;
import io.holdfast.protocol.proto.UpFrame;
import io.holdfast.protocol.proto.UpMessage;
import io.holdfast.replica.LoopInput;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links to a replica's mailbox, over the loopback and within the process. */
@Timeout(120)
final class UpstreamServiceTest {
    private final WireThreads threads = new WireThreads(2, "test-wire");
    private final BlockingQueue<LoopInput> inputs = new LinkedBlockingQueue<>();
    private final UpstreamLinks links = new UpstreamLinks();
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        links.start(inputs::add);
        server = threads.server(new InetSocketAddress("127.0.0.1", 0))
                .addService(new UpstreamService(links, threads, 1 << 20).service())
                .build()
                .start();
        channel = threads.channel("127.0.0.1:" + server.getPort());
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.shutdownNow();
        threads.close();
    }

    @Test
    void framesTravelInOrderBothWaysAndTheEndIsPosted() throws Exception {
        FrontEndStub frontEnd = new FrontEndStub(channel);
        for (int i = 1; i <= 200; i++) {
            frontEnd.send(new UpstreamFrame.Forward(i, new ClientFrame.Read(i, new Query.CellStatus())));
        }
        long link = 0;
        for (int i = 1; i <= 200; i++) {
            LoopInput.FromUpstream input = (LoopInput.FromUpstream) Await.next(inputs);
            assertThat(((UpstreamFrame.Forward) input.frame()).stream()).isEqualTo(i);
            link = input.link();
        }
        for (int i = 1; i <= 200; i++) {
            links.send(link, deliver(i));
        }
        for (int i = 1; i <= 200; i++) {
            assertThat(Await.next(frontEnd.frames)).isEqualTo(deliver(i));
        }

        frontEnd.call.cancel("gone", null);

        assertThat(Await.next(inputs)).isEqualTo(new LoopInput.UpstreamClosed(link));
        links.send(link, deliver(1));
        links.close(link);
    }

    /** A stream that is made for a link after its end would never be closed. */
    @Test
    void nothingIsPostedAfterTheEndThatComesMeanwhile() throws Exception {
        UpstreamLinks own = new UpstreamLinks();
        long link = own.register(new UpstreamLinks.Port() {
            @Override
            public boolean deliver(DownstreamFrame frame) {
                return true;
            }

            @Override
            public void close() {}

            @Override
            public void cut(String reason) {}
        });
        Thread ending = new Thread(() -> own.ended(link));
        List<LoopInput> posted = java.util.Collections.synchronizedList(new ArrayList<>());
        own.start(input -> {
            if (input instanceof LoopInput.FromUpstream) {
                ending.start();
                while (ending.getState() != Thread.State.BLOCKED && ending.isAlive()) {
                    Thread.onSpinWait();
                }
            }
            posted.add(input);
        });

        own.received(link, new UpstreamFrame.StreamClosed(1));
        ending.join();
        own.received(link, new UpstreamFrame.StreamClosed(2));

        assertThat(posted)
                .containsExactly(
                        new LoopInput.FromUpstream(link, new UpstreamFrame.StreamClosed(1)),
                        new LoopInput.UpstreamClosed(link));
    }

    @Test
    void numbersOfLinksAreNeverUsedTwice() throws Exception {
        FrontEndStub first = new FrontEndStub(channel);
        FrontEndStub second = new FrontEndStub(channel);
        first.send(new UpstreamFrame.StreamClosed(1));
        long firstLink = ((LoopInput.FromUpstream) Await.next(inputs)).link();
        second.send(new UpstreamFrame.StreamClosed(1));
        long secondLink = ((LoopInput.FromUpstream) Await.next(inputs)).link();

        assertThat(secondLink).isNotEqualTo(firstLink);
    }

    @Test
    void aLinkThatTheLoopClosesFirstCarriesWhatWasSent() throws Exception {
        FrontEndStub frontEnd = new FrontEndStub(channel);
        frontEnd.send(new UpstreamFrame.StreamClosed(1));
        long link = ((LoopInput.FromUpstream) Await.next(inputs)).link();

        links.send(link, new DownstreamFrame.NotLeader("deposed"));
        links.close(link);

        assertThat(Await.next(frontEnd.frames)).isEqualTo(new DownstreamFrame.NotLeader("deposed"));
        assertThat(Await.next(frontEnd.ended).getCode()).isEqualTo(Status.Code.OK);
        assertThat(inputs).isEmpty();
    }

    @Test
    void aFrontEndThatDoesNotReadIsCutOffAndOthersAreNot() throws Exception {
        FrontEndStub slow = new FrontEndStub(channel);
        slow.paused = true;
        slow.send(new UpstreamFrame.StreamClosed(1));
        long slowLink = ((LoopInput.FromUpstream) Await.next(inputs)).link();
        FrontEndStub other = new FrontEndStub(channel);
        other.send(new UpstreamFrame.StreamClosed(1));
        long otherLink = ((LoopInput.FromUpstream) Await.next(inputs)).link();

        DownstreamFrame large = new DownstreamFrame.WatchesFired(1, Collections.nCopies(10_000, 1L << 60));
        for (int i = 0; i < 200; i++) {
            links.send(slowLink, large);
        }
        links.send(otherLink, deliver(5));

        assertThat(Await.next(inputs)).isEqualTo(new LoopInput.UpstreamClosed(slowLink));
        assertThat(Await.next(other.frames)).isEqualTo(deliver(5));
        slow.paused = false;
        slow.call.request(1_000);
        assertThat(Await.next(slow.ended).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(inputs).isEmpty();
    }

    /** Each client keeps to its limits, and still all of them together read more than the link takes at once. */
    @Test
    void readsAreRefusedBeforeTheLinkOfAllIsCutOff() throws Exception {
        FrontEndStub frontEnd = new FrontEndStub(channel);
        frontEnd.paused = true;
        frontEnd.send(new UpstreamFrame.StreamClosed(1));
        long link = ((LoopInput.FromUpstream) Await.next(inputs)).link();

        Answer large = new Answer.Value(NodePath.ROOT, new byte[65_536], 0, 0, 0);
        for (int i = 1; i <= 200; i++) {
            links.send(link, new DownstreamFrame.Deliver(i, new ServerFrame.ReadReply(i, large)));
        }
        links.send(link, deliver(201));

        frontEnd.paused = false;
        frontEnd.call.request(1_000);
        int refused = 0;
        for (int i = 1; i <= 200; i++) {
            DownstreamFrame.Deliver next = (DownstreamFrame.Deliver) Await.next(frontEnd.frames);
            assertThat(next.stream()).isEqualTo(i);
            if (next.frame() instanceof ServerFrame.Refused busy) {
                assertThat(busy.id()).isEqualTo(i);
                assertThat(busy.code()).isEqualTo(ErrorCode.BUSY);
                refused++;
            }
        }
        assertThat(refused).isBetween(1, 199);
        assertThat(Await.next(frontEnd.frames)).isEqualTo(deliver(201));
        assertThat(inputs).isEmpty();
    }

    @Test
    void oneClientsBadFrameIsRefusedAndTheLinkGoesOn() throws Exception {
        FrontEndStub frontEnd = new FrontEndStub(channel);
        frontEnd.call.onNext(UpMessage.newBuilder()
                .setVersion(1)
                .addFrames(UpFrame.newBuilder()
                        .setForward(ForwardFrame.newBuilder()
                                .setStream(8)
                                .setBody(ClientBody.newBuilder()
                                        .setRequest(RequestFrame.newBuilder().setRequestId(3)))))
                .build());
        frontEnd.send(new UpstreamFrame.StreamClosed(1));

        DownstreamFrame.Deliver refusal = (DownstreamFrame.Deliver) Await.next(frontEnd.frames);
        assertThat(refusal.stream()).isEqualTo(8);
        assertThat(((ServerFrame.Refused) refusal.frame()).id()).isEqualTo(3);
        assertThat(Await.next(inputs)).isInstanceOf(LoopInput.FromUpstream.class);

        frontEnd.call.onNext(UpMessage.newBuilder().setVersion(9).build());
        assertThat(Await.next(frontEnd.ended).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(Await.next(inputs)).isInstanceOf(LoopInput.UpstreamClosed.class);
    }

    /** C107: an answer that no message can carry is told as such. */
    @Test
    void anAnswerThatIsTooLargeIsReplaced() throws Exception {
        FrontEndStub frontEnd = new FrontEndStub(channel);
        frontEnd.send(new UpstreamFrame.StreamClosed(1));
        long link = ((LoopInput.FromUpstream) Await.next(inputs)).link();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            names.add("n".repeat(1_000));
        }

        Answer tooLarge = new Answer.Children(NodePath.ROOT, names, false, 1);
        links.send(link, new DownstreamFrame.Deliver(1, new ServerFrame.ReadReply(4, tooLarge)));

        DownstreamFrame.Deliver deliver = (DownstreamFrame.Deliver) Await.next(frontEnd.frames);
        ServerFrame.ReadReply reply = (ServerFrame.ReadReply) deliver.frame();
        assertThat(reply.callId()).isEqualTo(4);
        assertThat(((Answer.Failed) reply.answer()).code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(((Answer.Failed) reply.answer()).message()).contains(String.valueOf(Limits.MAX_BATCH_BYTES));
    }

    @Test
    void aLocalLinkBehavesTheSame() {
        List<String> heard = new ArrayList<>();
        LinkListener listener = new LinkListener() {
            @Override
            public void opened() {
                heard.add("opened");
            }

            @Override
            public void received(DownstreamFrame frame) {
                heard.add(frame.toString());
            }

            @Override
            public void closed(String reason) {
                heard.add("closed");
            }
        };
        LocalUpstream local = new LocalUpstream(links);
        UpstreamConnection first = local.dial("r1", listener);
        first.send(new UpstreamFrame.StreamClosed(4));
        LoopInput.FromUpstream input = (LoopInput.FromUpstream) inputs.poll();
        assertThat(input.frame()).isEqualTo(new UpstreamFrame.StreamClosed(4));

        links.send(input.link(), new DownstreamFrame.NotLeader("deposed"));
        links.close(input.link());
        first.send(new UpstreamFrame.StreamClosed(5));
        first.close();

        assertThat(heard).containsExactly("opened", "NotLeader[reason=deposed]", "closed");
        assertThat(inputs).isEmpty();

        UpstreamConnection second = local.dial("r1", listener);
        second.send(new UpstreamFrame.StreamClosed(6));
        long link = ((LoopInput.FromUpstream) inputs.poll()).link();
        second.close();
        second.close();
        assertThat(inputs).containsExactly(new LoopInput.UpstreamClosed(link));
    }

    private static DownstreamFrame deliver(long stream) {
        return new DownstreamFrame.Deliver(stream, new ServerFrame.KeepAliveAck(stream, true, 1));
    }

    private static final class FrontEndStub implements ClientResponseObserver<UpMessage, DownMessage> {
        private final BlockingQueue<DownstreamFrame> frames = new LinkedBlockingQueue<>();
        private final BlockingQueue<Status> ended = new LinkedBlockingQueue<>();
        private ClientCallStreamObserver<UpMessage> call;
        private volatile boolean paused;

        FrontEndStub(ManagedChannel channel) {
            var unused = HoldfastUpstreamGrpc.newStub(channel).link(this);
            call.request(1);
        }

        void send(UpstreamFrame frame) {
            UpstreamCodec.encodeUp(List.of(frame)).forEach(call::onNext);
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<UpMessage> stream) {
            call = stream;
            stream.disableAutoRequestWithInitial(0);
        }

        @Override
        public void onNext(DownMessage message) {
            try {
                for (DownFrame frame : message.getFramesList()) {
                    frames.add(UpstreamCodec.decode(frame));
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            if (!paused) {
                call.request(1);
            }
        }

        @Override
        public void onError(Throwable cause) {
            ended.add(Status.fromThrowable(cause));
        }

        @Override
        public void onCompleted() {
            ended.add(Status.OK);
        }
    }
}
