package io.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.HoldfastClient;
import io.holdfast.server.http.wire.HttpLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that are slow, broken or hostile, by bare sockets: each is told so, and all others are served meanwhile. */
final class BrokenClientsTest {
    /** More than there are threads. */
    private static final int CROWD = 64;

    private static final int PATIENCE_MILLIS = 60_000;

    private final List<Socket> sockets = new ArrayList<>();
    private HttpEndpoint endpoint;

    @BeforeEach
    void start() throws IOException {
        endpoint = start(HttpLimits.DEFAULT);
    }

    private static HttpEndpoint start(HttpLimits limits) throws IOException {
        HttpEndpoint started = HttpEndpoint.start("127.0.0.1", 0, limits, () -> "");
        started.serve(HoldfastClient.connect("127.0.0.1:" + GatewayFixture.deadPort()), new MemoryLeases());
        return started;
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        endpoint.close();
    }

    private Socket open() throws IOException {
        Socket socket = new Socket("127.0.0.1", endpoint.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** All that comes until the other end closes. */
    private static String rest(Socket socket) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        byte[] chunk = new byte[8_192];
        try {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                all.write(chunk, 0, count);
            }
        } catch (IOException reset) {
            if (all.size() == 0) {
                throw reset;
            }
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private String whole(String request) throws IOException {
        Socket socket = open();
        send(socket, request);
        return rest(socket);
    }

    private void othersAreServed() throws IOException {
        assertThat(whole("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .endsWith("live\n");
        String body = "{\"name\":\"n\",\"owner\":\"o\"}";
        assertThat(whole("POST /v1/leases/acquire HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body))
                .contains("\"name\":\"n\"");
    }

    @Test
    void whatIsNoHttpIsRefusedInJson() throws IOException {
        for (String request : List.of(
                "nonsense\r\n\r\n",
                "GET /livez HTTP/1.1\r\n\r\n", // no Host
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nno colon here\r\n\r\n",
                "GET /v1/values/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /v1/values/% HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
                "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
                "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n")) {
            String reply = whole(request);
            assertThat(reply).as(request).startsWith("HTTP/1.1 400").contains("\"error\":\"INVALID\"");
            assertThat(reply).as(request).doesNotContain("Exception", "<html", "\tat ");
        }
        othersAreServed();
    }

    @Test
    void headersThatAreTooLargeAreRefusedInJson() throws IOException {
        String header = "X-Large: " + "x".repeat(9_000) + "\r\n";
        assertThat(whole("GET /livez HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n"))
                .startsWith("HTTP/1.1 431")
                .contains("\"error\":\"TOO_LARGE\"", "8192");
        assertThat(whole("GET /" + "x".repeat(9_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 414")
                .contains("\"error\":\"TOO_LARGE\"");
    }

    @Test
    void aBodyWithoutALengthIsCutAtTheLimitToo() throws IOException {
        Socket socket = open();
        send(
                socket,
                "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
        String chunk = "2000\r\n" + "x".repeat(0x2000) + "\r\n";
        for (int i = 0; i < 9; i++) {
            send(socket, chunk);
        }
        send(socket, "0\r\n\r\n");
        assertThat(rest(socket)).startsWith("HTTP/1.1 413").contains("\"error\":\"TOO_LARGE\"", "65536");
    }

    @Test
    void aBodyWithoutAnEndIsNotReadForEver() throws IOException {
        Socket socket = open();
        send(socket, "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        String chunk = "2000\r\n" + "x".repeat(0x2000) + "\r\n";
        boolean cut = false;
        for (int i = 0; i < 10_000 && !cut; i++) {
            try {
                send(socket, chunk);
            } catch (IOException closed) {
                cut = true;
            }
        }
        assertThat(cut).isTrue();
        othersAreServed();
    }

    @Test
    void aLengthThatIsFarTooLargeIsRefusedBeforeTheBody() throws IOException {
        assertThat(whole("PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n"))
                .startsWith("HTTP/1.1 413")
                .contains("\"error\":\"TOO_LARGE\"");
        assertThat(
                        whole(
                                "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n\r\n"))
                .startsWith("HTTP/1.1 413");
    }

    @Test
    void aBodyThatDoesNotComeEndsWithTheRequestsTime() throws IOException {
        assertThat(
                        whole(
                                "PUT /v1/values/x?timeoutMillis=200 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345"))
                .startsWith("HTTP/1.1 408")
                .contains("\"error\":\"TIMEOUT\"");
    }

    @Test
    void slowBodiesHoldNobodyUp() throws IOException {
        for (int i = 0; i < CROWD; i++) {
            send(open(), "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1234");
        }
        othersAreServed();
    }

    @Test
    void headersThatNeverEndAreCutOff() throws IOException {
        endpoint.close();
        endpoint = start(new HttpLimits(100, 8_192, 500, 65_000, 1 << 20, 1 << 20, 60_000));
        Socket fresh = open();
        Socket used = open();
        send(used, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(used.getInputStream().read()).isEqualTo('H');
        for (Socket slow : List.of(fresh, used)) {
            boolean cut = false;
            send(slow, "GET /livez HTTP/1.1\r\nX: ");
            slow.setSoTimeout(100);
            for (int i = 0; i < 600 && !cut; i++) { // a byte now and then, at most 8 KB
                try {
                    send(slow, "x");
                    cut = skip(slow);
                } catch (IOException closed) {
                    cut = true;
                }
            }
            assertThat(cut).isTrue();
        }
        othersAreServed();
    }

    /** Whether the other end has closed. */
    private static boolean skip(Socket socket) throws IOException {
        byte[] any = new byte[1_024];
        try {
            return socket.getInputStream().read(any) < 0;
        } catch (java.net.SocketTimeoutException nothing) {
            return false;
        }
    }

    @Test
    void readersThatDoNotReadHoldNobodyUp() throws IOException {
        String request = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(400); // 14 MB of answers each
        for (int i = 0; i < CROWD; i++) {
            send(open(), request);
        }
        othersAreServed();
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        String body = "{\"name\":\"p\",\"owner\":\"o\"}";
        String acquire = "POST /v1/leases/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
        String replies =
                whole(acquire + acquire + "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(replies.indexOf("\"token\":")).isPositive();
        assertThat(replies.indexOf("\"error\":\"HELD\"")).isGreaterThan(replies.indexOf("\"token\":"));
        assertThat(replies.indexOf("live\n")).isGreaterThan(replies.indexOf("\"error\":\"HELD\""));
    }

    @Test
    void aClientThatGoesInTheMiddleIsForgotten() throws IOException {
        for (int i = 0; i < CROWD; i++) {
            Socket socket = open();
            send(socket, "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1234");
            socket.setSoLinger(true, 0);
            socket.close();
        }
        othersAreServed();
    }

    @Test
    void moreConnectionsThanAllowedWaitUntilIdleOnesAreGone() throws IOException {
        endpoint.close();
        endpoint = start(new HttpLimits(4, 8_192, 500, 65_000, 1 << 20, 1 << 20, 60_000));
        for (int i = 0; i < 8; i++) {
            open();
        }
        othersAreServed();
    }

    /** A name of elsewhere that is made to lead here: for a browser its page and this port are one origin. */
    @Test
    void aNameOfElsewhereIsRefusedOnLoopback() throws IOException {
        String end = "\r\nConnection: close\r\n\r\n";
        for (String request :
                List.of("GET /readyz", "GET /v1/cell", "GET /metrics", "DELETE /v1/values/x", "GET /no")) {
            for (String host : List.of("evil.example:8080", "evil.example", "127.0.0.1.evil.example", "[::2]:1")) {
                assertThat(whole(request + " HTTP/1.1\r\nHost: " + host + end))
                        .startsWith("HTTP/1.1 403")
                        .contains("\"error\":\"FORBIDDEN\"", "Host");
            }
        }
        assertThat(whole("GET /livez HTTP/1.1\r\nHost: evil.example" + end)).startsWith("HTTP/1.1 200");
        for (String host : List.of("localhost", "LOCALHOST:1", "127.0.0.1:99", "[::1]:8", "[::1]")) {
            assertThat(whole("GET /metrics HTTP/1.1\r\nHost: " + host + end)).startsWith("HTTP/1.1 200");
        }
    }

    /** An answer is kept until its reader takes it. */
    @Test
    void memoryForAnswersIsBounded() throws IOException {
        endpoint.close();
        endpoint = HttpEndpoint.start(
                "127.0.0.1",
                0,
                new HttpLimits(100, 8_192, 10_000, 65_000, 1 << 20, 10_000, 60_000),
                () -> "x".repeat(20_000));
        assertThat(whole("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 503")
                .contains("\"error\":\"BUSY\"");
    }

    @Test
    void memoryForBodiesIsBounded() throws IOException {
        endpoint.close();
        endpoint = start(new HttpLimits(100, 8_192, 10_000, 65_000, 10_000, 1 << 20, 60_000));
        String head = "PUT /v1/values/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n";
        assertThat(whole(head + "x".repeat(20_000))).startsWith("HTTP/1.1 503").contains("\"error\":\"BUSY\"");
        othersAreServed();
    }
}
