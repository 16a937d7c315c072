package io.holdfast.proxy.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import io.holdfast.model.Shards;
import io.holdfast.protocol.codec.LeadersCodec;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.LeadersView.CellLeader;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.link.LinkListener;
import io.holdfast.protocol.proto.DownMessage;
import io.holdfast.protocol.proto.FollowMessage;
import io.holdfast.protocol.proto.HoldfastLeadersGrpc;
import io.holdfast.protocol.proto.HoldfastUpstreamGrpc;
import io.holdfast.protocol.proto.LeadersMessage;
import io.holdfast.protocol.proto.UpMessage;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A leader is found and followed over real connections (ADR 0019; C38, C84, C116). */
@Timeout(120)
final class LeaderFinderTest {
    private static final String LOOPBACK = "127.0.0.1";

    private final WireThreads threads = new WireThreads(2, "test-wire");
    private final List<Replica> replicas = new ArrayList<>();
    private final Recorder recorder = new Recorder();
    private @Nullable LeaderFinder finder;

    @AfterEach
    void stop() {
        if (finder != null) {
            finder.close();
        }
        replicas.forEach(replica -> replica.server.shutdownNow());
        threads.close();
    }

    private Replica replica(String name, int port) throws Exception {
        Replica replica = new Replica(name);
        replica.server = threads.server(new InetSocketAddress(LOOPBACK, port))
                .addService(replica)
                .addService(new SilentUpstream())
                .build()
                .start();
        replicas.add(replica);
        return replica;
    }

    private void find(String... upstreams) {
        LeaderFinder fresh = new LeaderFinder(List.of(upstreams), threads, threads.next(), recorder);
        finder = fresh;
        fresh.start();
    }

    private void await(String event) throws InterruptedException {
        String next = Await.next(recorder.events);
        while (!next.equals(event)) {
            next = Await.next(recorder.events);
        }
    }

    @Test
    void theLeaderIsFoundAndItsSuccessorFollowed() throws Exception {
        Replica first = replica("r1", 0);
        Replica second = replica("r2", 0);
        first.says(5, "r2");
        second.says(5, "r2");
        find(first.address(), second.address());
        await("found main of d1");
        await("r2 leads in 5");
        first.says(6, "r1");
        await("r1 leads in 6");
        assertThat(recorder.located).contains("r1 at " + first.address(), "r2 at " + second.address());
    }

    /** C116: a name is looked up, and stands for all of its addresses. */
    @Test
    void anUpstreamMayBeAName() throws Exception {
        Replica only = replica("r1", 0);
        only.says(5, "r1");
        find("localhost:" + only.server.getPort());
        await("r1 leads in 5");
    }

    @Test
    void aReplicaThatComesBackIsAskedAgain() throws Exception {
        Replica first = replica("r1", 0);
        int port = first.server.getPort();
        first.says(5, "r1");
        find(first.address());
        await("r1 leads in 5");
        first.server.shutdownNow().awaitTermination();
        Replica again = replica("r1", port);
        again.says(7, "r1");
        await("r1 leads in 7");
    }

    /** As one that is frozen: its connection stays, and nothing comes. */
    @Test
    void aLinkOverWhichNothingIsHeardIsGivenUp() throws Exception {
        Replica first = replica("r1", 0);
        first.says(5, "r1");
        GrpcUpstream upstream = GrpcUpstream.listening(threads);
        upstream.setReplica("r1", first.address());
        BlockingQueue<String> link = new LinkedBlockingQueue<>();
        upstream.dial("r1", new LinkListener() {
            @Override
            public void opened() {
                link.add("opened");
            }

            @Override
            public void received(DownstreamFrame frame) {}

            @Override
            public void closed(String reason) {
                link.add(reason);
            }
        });
        assertThat(Await.next(link)).isEqualTo("opened");
        first.says(5, "r1");
        assertThat(Await.next(link)).contains("has said nothing for 2000 ms");
    }

    private static final class Recorder implements LeaderFinder.Listener {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        private final List<String> located = new CopyOnWriteArrayList<>();

        @Override
        public void found(String cell, String deployment, Shards shards) {
            events.add("found " + cell + " of " + deployment);
        }

        @Override
        public void located(String replica, String address) {
            located.add(replica + " at " + address);
        }

        @Override
        public void leaderKnown(@Nullable String leader, long term) {
            events.add(leader + " leads in " + term);
        }

        @Override
        public void leaderKnown(String shard, @Nullable String leader, long term) {
            events.add(leader + " leads " + shard + " in " + term);
        }
    }

    /** Says what it is told to say, once to each reader and whenever that changes; no beats. */
    private static final class Replica extends HoldfastLeadersGrpc.HoldfastLeadersImplBase {
        private final String name;
        private final List<StreamObserver<LeadersMessage>> readers = new CopyOnWriteArrayList<>();
        private volatile @Nullable LeadersMessage present;
        private Server server;

        Replica(String name) {
            this.name = name;
        }

        String address() {
            return LOOPBACK + ":" + server.getPort();
        }

        /** Not beside the greeting of a reader: one thread at a time may speak on a stream. */
        synchronized void says(long term, String leader) {
            LeadersMessage message =
                    LeadersCodec.encode(new LeadersView("d1", name, List.of(new CellLeader("main", term, leader))));
            present = message;
            readers.forEach(reader -> reader.onNext(message));
        }

        private synchronized void greet(StreamObserver<LeadersMessage> answers) {
            if (readers.contains(answers)) {
                return; // asked again
            }
            readers.add(answers);
            LeadersMessage now = present;
            if (now != null) {
                answers.onNext(now);
            }
        }

        @Override
        public StreamObserver<FollowMessage> follow(StreamObserver<LeadersMessage> answers) {
            return new StreamObserver<>() {
                @Override
                public void onNext(FollowMessage message) {
                    greet(answers);
                }

                @Override
                public void onError(Throwable cause) {
                    readers.remove(answers);
                }

                @Override
                public void onCompleted() {}
            };
        }
    }

    private static final class SilentUpstream extends HoldfastUpstreamGrpc.HoldfastUpstreamImplBase {
        @Override
        public StreamObserver<UpMessage> link(StreamObserver<DownMessage> answers) {
            return new StreamObserver<>() {
                @Override
                public void onNext(UpMessage message) {}

                @Override
                public void onError(Throwable cause) {}

                @Override
                public void onCompleted() {}
            };
        }
    }
}
