package io.holdfast.chaos.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

final class RelayTest {
    private static final String HOST = "127.0.0.1";

    private final LinkedBlockingQueue<Integer> heard = new LinkedBlockingQueue<>();
    private ServerSocket server;
    private Relay relay;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getByName(HOST));
        relay = new Relay(HOST, 0, HOST, server.getLocalPort());
        Thread echo = new Thread(this::echo);
        echo.setDaemon(true);
        echo.start();
    }

    @AfterEach
    void stop() throws IOException {
        relay.close();
        server.close();
    }

    private void echo() {
        try {
            while (true) {
                Socket socket = server.accept();
                int read;
                while ((read = socket.getInputStream().read()) >= 0) {
                    heard.add(read);
                    socket.getOutputStream().write(read + 1);
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(HOST, relay.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    @Test
    void forwardsBothWays() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(1);
            assertThat(socket.getInputStream().read()).isEqualTo(2);
        }
        assertThat(relay.hits()).isZero();
    }

    /** Repeated: once the reply overtook the thread that was to drop it. */
    @RepeatedTest(50)
    void cutsAfterTheRequestAndBeforeTheReply() throws Exception {
        relay.behave(Relay.Behaviour.cutBeforeReply(5, 1));
        try (Socket socket = connect()) {
            socket.getOutputStream().write(1);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(relay.hits()).isEqualTo(1);
    }

    @Test
    void holdsRepliesUntilToldOtherwise() throws Exception {
        relay.behave(new Relay.Behaviour(0, false, true, -1, 0));
        try (Socket socket = connect()) {
            socket.getOutputStream().write(1);
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(socket.getInputStream().available()).isZero();
            relay.behave(Relay.Behaviour.PLAIN);
            assertThat(socket.getInputStream().read()).isEqualTo(2);
        }
    }
}
