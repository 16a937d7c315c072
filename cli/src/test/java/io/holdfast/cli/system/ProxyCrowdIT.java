package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.holdfast.cli.system.Holdfast.Result;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.protocol.codec.ClientCodec;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.codec.ServerCodec;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.proto.ClientMessage;
import io.holdfast.protocol.proto.HoldfastClientGrpc;
import io.holdfast.protocol.proto.ServerMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two thousand connections at one proxy, and one among them that does not read (issue 5, items 1, 3 and 4). */
final class ProxyCrowdIT {
    private static final int CROWD = 2_000;

    @TempDir
    Path directory;

    private final WireThreads threads = new WireThreads(1, "test-wire");
    private final List<Stream> streams = new ArrayList<>();
    private final AtomicInteger greeted = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private Holdfast holdfast;

    @AfterEach
    void stopAll() {
        streams.forEach(stream -> stream.channel.shutdownNow());
        threads.close();
        if (holdfast != null) {
            holdfast.close();
        }
    }

    @Test
    void oneProxyServesTwoThousandAndCutsOffWhoDoesNotRead() throws IOException {
        int proxyPort = Proxies.freePorts(1);
        int firstPort = ReplicaCell.freePorts(1);
        holdfast = new Holdfast(directory, Proxies.endpoints(1, proxyPort));
        ReplicaCell cell = new ReplicaCell(holdfast, directory, 1, firstPort);
        Proxies proxies = new Proxies(holdfast, ReplicaCell.endpoints(1, firstPort), proxyPort);
        cell.startAll();
        proxies.start(1);
        proxies.awaitReady(1);
        assertThat(holdfast.runWithInput(new byte[60_000], "put", "/large", "-").status())
                .isZero();
        long before = residentKilobytes(proxies.process(1).pid());

        long began = System.nanoTime();
        for (int i = 0; i < CROWD; i++) {
            streams.add(new Stream(proxies.endpoint(1)));
        }
        streams.forEach(stream -> stream.call.request(Integer.MAX_VALUE / 2));
        Holdfast.await("all are greeted", () -> greeted.get() == CROWD);
        streams.forEach(stream -> stream.ask(1));
        Holdfast.await("all are answered", () -> answered.get() == CROWD);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        long each = (residentKilobytes(proxies.process(1).pid()) - before) / CROWD;
        System.out.println("proxy with " + CROWD + " streams: all served after " + took.toMillis() + " ms, " + each
                + " KB of memory each");
        assertThat(proxies.metric(1, "holdfast_proxy_clients")).isGreaterThanOrEqualTo(CROWD);
        assertThat(each).isLessThan(150);

        Stream slow = new Stream(proxies.endpoint(1));
        streams.add(slow);
        Holdfast.await("cut off", () -> {
            for (int i = 0; i < 20; i++) {
                slow.ask(2); // it never takes an answer
            }
            return proxies.metric(1, "holdfast_proxy_slow_clients_total") == 1;
        });
        Holdfast.await("hears of it", () -> slow.ended != null || slow.takeAll());
        int so = answered.get();
        streams.subList(0, CROWD).forEach(stream -> stream.ask(3));
        Holdfast.await("the others are served", () -> answered.get() >= so + CROWD);
        assertThat(streams.subList(0, CROWD)).allMatch(stream -> stream.ended == null);
        Result put = holdfast.run("put", "/v/a", "one");
        assertThat(put.status()).as(put.err()).isZero();
    }

    private static long residentKilobytes(long pid) {
        return Holdfast.read(Path.of("/proc", Long.toString(pid), "status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }

    /** A bare client with a connection of its own; takes nothing before it asks for that. */
    private final class Stream extends ClientCall.Listener<ServerMessage> {
        private final ManagedChannel channel;
        private final ClientCall<ClientMessage, ServerMessage> call;
        private volatile Status ended;

        Stream(String endpoint) {
            channel = threads.channel(endpoint);
            call = channel.newCall(HoldfastClientGrpc.getStreamMethod(), CallOptions.DEFAULT);
            call.start(this, new Metadata());
        }

        void ask(long id) {
            if (ended == null) {
                call.sendMessage(ClientCodec.encode(
                        new ClientFrame.Read(id, new Query.GetValue(new NodePath(id == 2 ? "/large" : "/none")))));
            }
        }

        boolean takeAll() {
            call.request(Integer.MAX_VALUE / 2);
            return ended != null;
        }

        @Override
        public void onMessage(ServerMessage message) {
            try {
                ServerFrame frame = ServerCodec.decode(message);
                greeted.addAndGet(frame instanceof ServerFrame.Hello ? 1 : 0);
                answered.addAndGet(frame instanceof ServerFrame.ReadReply reply && reply.callId() != 2 ? 1 : 0);
            } catch (MalformedFrameException wrong) {
                throw new AssertionError(wrong);
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            ended = status;
        }
    }
}
