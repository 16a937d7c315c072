package io.holdfast.replica.grpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands before a port and can lose all that goes over the connections it has, which stay open, as in a network that is cut. */
final class Relay implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();

    Relay(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        start(this::acceptAll);
    }

    int port() {
        return server.getLocalPort();
    }

    int accepted() {
        return connections.size();
    }

    /** What is open now swallows everything from now on; later connections work. */
    void swallowPresent() {
        connections.forEach(connection -> connection.swallows = true);
    }

    private void acceptAll() {
        try {
            while (true) {
                Connection connection = new Connection(server.accept(), new Socket("127.0.0.1", target));
                connections.add(connection);
                start(() -> connection.pump(connection.near, connection.far));
                start(() -> connection.pump(connection.far, connection.near));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Connection connection : connections) {
                connection.near.close();
                connection.far.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static final class Connection {
        private final Socket near;
        private final Socket far;
        private volatile boolean swallows;

        Connection(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }

        void pump(Socket from, Socket to) {
            byte[] buffer = new byte[1 << 16];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (!swallows) {
                        out.write(buffer, 0, count);
                    }
                }
                if (!swallows) {
                    to.close();
                }
            } catch (IOException ended) {
                // its other side is closed by its owner
            }
        }
    }
}
