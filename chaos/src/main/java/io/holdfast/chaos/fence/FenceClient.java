package io.holdfast.chaos.fence;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Writes to the {@link FenceServer}. <b>Thread:</b> one. */
public final class FenceClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 5_000;

    private final Socket socket = new Socket();
    private final BufferedReader in;
    private final PrintWriter out;

    public FenceClient(String host, int port) throws IOException {
        socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out = new PrintWriter(socket.getOutputStream(), false, StandardCharsets.UTF_8);
    }

    /** Whether the token was taken. */
    public boolean write(String lock, long token, boolean shared, String owner) throws IOException {
        out.println(lock + " " + token + " " + (shared ? "s" : FenceServer.EXCLUSIVE) + " " + owner);
        out.flush();
        String answer = in.readLine();
        if (answer == null) {
            throw new IOException("the fenced resource has gone");
        }
        return answer.equals("ok");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // It is gone already.
        }
    }
}
