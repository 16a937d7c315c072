package io.holdfast.chaos.lostreply;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.lostreply.CutRelay.Direction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Behind the relay is a server that answers each byte with the same in upper case. */
@Timeout(30)
final class CutRelayTest {
    private ServerSocket server;
    private CutRelay relay;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "upper-case");
        thread.setDaemon(true);
        thread.start();
        relay = new CutRelay("127.0.0.1", server.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        relay.close();
        server.close();
    }

    private void serve() {
        while (true) {
            try (Socket client = server.accept()) {
                int read;
                while ((read = client.getInputStream().read()) >= 0) {
                    client.getOutputStream().write(Character.toUpperCase(read));
                }
            } catch (IOException gone) {
                if (server.isClosed()) {
                    return;
                }
            }
        }
    }

    /** What comes back on a new connection for this text, until it ends or all is there. */
    private String ask(String text) throws IOException {
        int colon = relay.address().indexOf(':');
        try (Socket socket =
                new Socket("127.0.0.1", Integer.parseInt(relay.address().substring(colon + 1)))) {
            StringBuilder answer = new StringBuilder();
            try {
                socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                int read;
                while (answer.length() < text.length()
                        && (read = socket.getInputStream().read()) >= 0) {
                    answer.append((char) read);
                }
            } catch (IOException reset) {
                // Cut off with bytes under way.
            }
            return answer.toString();
        }
    }

    @Test
    void withoutACutItOnlyForwards() throws IOException {
        assertThat(ask("hello")).isEqualTo("HELLO");
    }

    @Test
    void soManyBytesOfTheReplyPassAndNotOneMore() throws IOException {
        for (int bytes = 0; bytes < 5; bytes++) {
            relay.cutAfter(Direction.REPLY, bytes);
            assertThat(ask("hello")).isEqualTo("hello".substring(0, bytes).toUpperCase(Locale.ROOT));
            assertThat(relay.disarm()).isTrue();
        }
    }

    @Test
    void whatIsCutOffARequestIsNotAnswered() throws IOException {
        relay.cutAfter(Direction.REQUEST, 2);
        assertThat("HELLO").startsWith(ask("hello"));
        assertThat(relay.disarm()).isTrue();
    }

    @Test
    void aCutThatWasNotReachedIsCalledOff() throws IOException {
        relay.cutAfter(Direction.REPLY, 5);
        assertThat(ask("hello")).isEqualTo("HELLO");
        assertThat(relay.disarm()).isFalse();
        assertThat(ask("hello again")).isEqualTo("HELLO AGAIN");
    }

    @Test
    void itCutsOnce() throws IOException {
        relay.cutAfter(Direction.REPLY, 0);
        assertThat(ask("hello")).isEmpty();
        assertThat(ask("hello")).isEqualTo("HELLO");
    }
}
