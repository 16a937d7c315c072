package io.holdfast.protocol.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Newcomers are let in a few at a time, slower while the thread is late, and never kept out for good (ADR 0021). */
final class PacedServerChannelTest {
    @Test
    void newcomersWaitLongerWhileTheThreadIsLate() {
        assertThat(PacedServerChannel.waitMillis(0, 2)).isZero();
        assertThat(PacedServerChannel.waitMillis(10, 12)).isZero();
        assertThat(PacedServerChannel.waitMillis(11, 13)).isEqualTo(44);
        assertThat(PacedServerChannel.waitMillis(40, 42)).isEqualTo(58);
    }

    @Test
    void aThreadThatIsAlwaysLateLetsSomebodyInAllTheSame() {
        assertThat(PacedServerChannel.waitMillis(5_000, 100)).isZero();
        long waited = 2;
        int waits = 0;
        for (long wait = PacedServerChannel.waitMillis(15, waited); wait > 0; waits++) {
            waited += wait;
            wait = PacedServerChannel.waitMillis(15, waited);
        }
        assertThat(waited).isEqualTo(PacedServerChannel.MAX_WAIT_MILLIS);
        assertThat(waits).isLessThan(5);
    }

    @Test
    void whoHasGivenUpWhileHeWaitedTakesNobodysPlace() {
        Newcomers newcomers = new Newcomers(2);
        newcomers.came();
        newcomers.came();
        assertThat(newcomers.isFull()).isTrue();
        newcomers.went(newcomers.round());
        assertThat(newcomers.isFull()).isFalse();
        newcomers.came();
        int before = newcomers.round();
        newcomers.next();
        newcomers.came();
        newcomers.went(before); // it came before the pause
        newcomers.came();
        assertThat(newcomers.isFull()).isTrue();
    }

    /** Each connection takes a file, with or without a stream on it. */
    @Test
    @Timeout(60)
    void moreConnectionsThanThereAreFilesForAreClosedAndTheNextGetsInWhenOneHasLeft() throws Exception {
        WireThreads threads = new WireThreads(1, "test-wire");
        ServerBuilder<?> builder = threads.clientServer(new InetSocketAddress("127.0.0.1", 0), 3);
        Server server = builder.build().start();
        List<Socket> crowd = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                crowd.add(new Socket("127.0.0.1", server.getPort()));
                assertThat(crowd.get(i).getInputStream().read()).isNotNegative();
            }
            assertThat(getsIn(server.getPort())).isFalse();
            assertThat(getsIn(server.getPort())).isFalse();
            crowd.get(1).close();
            boolean in = getsIn(server.getPort());
            while (!in) { // until its end was noticed
                in = getsIn(server.getPort());
            }
        } finally {
            for (Socket each : crowd) {
                each.close();
            }
            server.shutdownNow();
            threads.close();
        }
    }

    private static boolean getsIn(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.getInputStream().read() >= 0;
        } catch (IOException cutOff) {
            return false;
        }
    }

    /** All of a crowd get in: the first byte of the server, its settings, comes to each. */
    @Test
    @Timeout(60)
    void aCrowdGetsIn() throws Exception {
        WireThreads threads = new WireThreads(1, "test-wire");
        ServerBuilder<?> builder = threads.clientServer(new InetSocketAddress("127.0.0.1", 0), 100);
        Server server = builder.build().start();
        List<Socket> crowd = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                crowd.add(new Socket("127.0.0.1", server.getPort()));
            }
            for (Socket each : crowd) {
                assertThat(each.getInputStream().read()).isNotNegative();
            }
        } finally {
            for (Socket each : crowd) {
                each.close();
            }
            server.shutdownNow();
            threads.close();
        }
    }
}
