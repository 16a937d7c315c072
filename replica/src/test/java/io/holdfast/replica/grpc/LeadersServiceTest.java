package io.holdfast.replica.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.holdfast.model.Shards;
import io.holdfast.protocol.codec.LeadersCodec;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.LeadersView.CellLeader;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.proto.FollowMessage;
import io.holdfast.protocol.proto.HoldfastLeadersGrpc;
import io.holdfast.protocol.proto.LeadersMessage;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a replica tells proxies over a real connection (ADR 0019). */
@Timeout(60)
final class LeadersServiceTest {
    private final WireThreads threads = new WireThreads(2, "test-wire");
    private final LeadersService leaders = new LeadersService("main", Shards.NONE, "d1", "r1", threads.next());
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        server = threads.server(new InetSocketAddress("127.0.0.1", 0))
                .addService(leaders.service())
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

    private static LeadersView view(long term, @Nullable String leader) {
        return new LeadersView("d1", "r1", List.of(new CellLeader("main", term, leader)));
    }

    private static void await(Reader reader, LeadersView view) throws InterruptedException {
        LeadersView next = Await.next(reader.views);
        while (!next.equals(view)) {
            next = Await.next(reader.views);
        }
    }

    @Test
    void whoAsksIsToldAtOnceThenWhenItChangesAndAgainInBetween() throws Exception {
        leaders.leaderKnown("r2", 5);
        Reader reader = ask(LeadersCodec.ask());
        await(reader, view(5, "r2"));
        assertThat(Await.next(reader.views)).isEqualTo(view(5, "r2")); // a beat
        leaders.leaderKnown(null, 6);
        await(reader, view(6, null));
        leaders.leaderKnown("r2", 5);
        leaders.leaderKnown("r1", 6);
        await(reader, view(6, "r1"));
    }

    /** So that a path which is cut one way is silent both ways. */
    @Test
    void whoDoesNotAskAgainIsToldNothingAnyMore() throws Exception {
        Reader reader = ask(LeadersCodec.ask());
        for (int i = 0; i <= LeadersService.MAX_BEATS_UNASKED; i++) {
            await(reader, view(0, null));
        }
        leaders.leaderKnown("r3", 9);
        Reader other = ask(LeadersCodec.ask());
        for (int i = 0; i < 3; i++) {
            await(other, view(9, "r3"));
        }
        assertThat(reader.views.size()).isLessThan(3); // one may have crossed
        reader.asking.onNext(LeadersCodec.ask());
        await(reader, view(9, "r3"));
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        Reader reader = ask(FollowMessage.newBuilder().setVersion(9).build());
        assertThat(Await.next(reader.ended).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    /** It must not stay among the readers: telling it would fail, and nobody would be told anything more. */
    @Test
    void whoIsRefusedLaterIsForgottenAndTheOthersAreToldAsBefore() throws Exception {
        Reader other = ask(LeadersCodec.ask());
        Reader wrong = ask(LeadersCodec.ask());
        await(wrong, view(0, null));
        wrong.asking.onNext(FollowMessage.newBuilder().setVersion(9).build());
        assertThat(Await.next(wrong.ended).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        leaders.leaderKnown("r2", 5);
        for (int i = 0; i < 3; i++) {
            await(other, view(5, "r2")); // when it changes, and beats
        }
    }

    @Test
    void whoListensHearsTheEnd() throws Exception {
        Reader reader = ask(LeadersCodec.ask());
        await(reader, view(0, null));
        leaders.close();
        assertThat(Await.next(reader.ended).getDescription()).contains("r1 is shutting down");
    }

    private Reader ask(FollowMessage message) {
        Reader reader = new Reader();
        reader.asking = HoldfastLeadersGrpc.newStub(channel).follow(reader);
        reader.asking.onNext(message);
        return reader;
    }

    private static final class Reader implements StreamObserver<LeadersMessage> {
        private final BlockingQueue<LeadersView> views = new LinkedBlockingQueue<>();
        private StreamObserver<FollowMessage> asking;
        private final BlockingQueue<Status> ended = new LinkedBlockingQueue<>();

        @Override
        public void onNext(LeadersMessage message) {
            try {
                views.add(LeadersCodec.decode(message));
            } catch (MalformedFrameException wrong) {
                throw new AssertionError(wrong);
            }
        }

        @Override
        public void onError(Throwable cause) {
            ended.add(Status.fromThrowable(cause));
        }

        @Override
        public void onCompleted() {}
    }
}
