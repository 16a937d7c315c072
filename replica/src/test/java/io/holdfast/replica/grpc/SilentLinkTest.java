package io.holdfast.replica.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.LoopInput;
import io.holdfast.replica.PeerFrame;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer is reached again by a new connection while the old one hangs (C84). */
@Timeout(60)
final class SilentLinkTest {
    /** Left to TCP and the ping of the connection, each would take 20 s; all of them would take longer than the test may. */
    private static final int ROUNDS = 4;

    private static final long SILENCE_MILLIS = 400;

    private final WireThreads threads = new WireThreads(2, "test-wire");
    private final BlockingQueue<LoopInput> sent = new LinkedBlockingQueue<>();
    private final BlockingQueue<LoopInput> received = new LinkedBlockingQueue<>();
    private final GrpcPeerTransport sender =
            new GrpcPeerTransport(threads, GrpcPeerTransport.DEFAULT_MAX_WAITING_BYTES, SILENCE_MILLIS);
    private final GrpcPeerTransport receiver = new GrpcPeerTransport(threads);

    @AfterEach
    void stop() {
        sender.close();
        receiver.close();
        threads.close();
    }

    private static PeerFrame frame(String text) {
        return new PeerFrame.Greeting(new ReplicaId("r1@1"), text, List.of(), List.of());
    }

    private void sendUntilHeard(String text) throws InterruptedException {
        boolean heard = false;
        while (!heard) {
            sender.send("r2", frame(text));
            LoopInput next = received.poll(20, TimeUnit.MILLISECONDS);
            heard = next instanceof LoopInput.FromPeer from && from.frame().equals(frame(text));
        }
    }

    @Test
    void aLinkThatSwallowsWhatIsSentIsDialledAgain() throws Exception {
        sender.start(sent::add);
        receiver.start(received::add);
        Server server = threads.server(new InetSocketAddress("127.0.0.1", 0))
                .addService(receiver.service())
                .build()
                .start();
        try (Relay relay = new Relay(server.getPort())) {
            sender.setPeer("r2", "127.0.0.1:" + relay.port());
            sendUntilHeard("round 0");
            for (int round = 1; round <= ROUNDS; round++) {
                relay.swallowPresent();
                sendUntilHeard("round " + round);
            }
            assertThat(relay.accepted()).isGreaterThan(ROUNDS);
            assertThat(sent).isEmpty(); // that the peer has ended is more than anybody knows
        } finally {
            server.shutdownNow();
        }
    }

    @Test
    void aSocketThatNeverAnswersIsDialledAgain() throws Exception {
        sender.start(sent::add);
        List<Socket> accepted = new ArrayList<>();
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            mute.setSoTimeout(50_000);
            sender.setPeer("r2", "127.0.0.1:" + mute.getLocalPort());
            for (int i = 0; i < 3; i++) {
                accepted.add(mute.accept());
            }
        }
        for (Socket socket : accepted) {
            socket.close();
        }
        assertThat(sent).isEmpty();
    }
}
