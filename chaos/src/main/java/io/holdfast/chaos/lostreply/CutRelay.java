package io.holdfast.chaos.lostreply;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between a client and one replica, and cuts the connection when so many bytes more have passed in one direction: once,
 * then it forwards again.
 *
 * <p><b>Thread:</b> any; each connection has two threads of its own.
 */
final class CutRelay implements AutoCloseable {
    private static final int PIECE_BYTES = 16 << 10;
    private static final int CONNECT_MILLIS = 2_000;
    private static final long NEVER = Long.MAX_VALUE;

    private final InetSocketAddress target;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** Guarded by this: bytes that may pass still, by direction. */
    private long requestBytesLeft = NEVER;

    private long replyBytesLeft = NEVER;

    /** Which way the bytes go that are counted. */
    enum Direction {
        REQUEST,
        REPLY
    }

    CutRelay(String targetHost, int targetPort) {
        this.target = new InetSocketAddress(targetHost, targetPort);
        try {
            server = new ServerSocket();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException failed) {
            throw new UncheckedIOException("a relay", failed);
        }
        start("relay", this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** After so many bytes more in a direction the connection ends; 0 lets not one pass. */
    synchronized void cutAfter(Direction direction, long bytes) {
        requestBytesLeft = direction == Direction.REQUEST ? bytes : NEVER;
        replyBytesLeft = direction == Direction.REPLY ? bytes : NEVER;
    }

    /** Whether the cut that was asked for has happened; if not, it is called off. */
    synchronized boolean disarm() {
        boolean wasCut = requestBytesLeft == NEVER && replyBytesLeft == NEVER;
        requestBytesLeft = NEVER;
        replyBytesLeft = NEVER;
        return wasCut;
    }

    /** How many of so many bytes may pass; if not all, the cut is now. */
    private synchronized int pass(Direction direction, int bytes) {
        long left = direction == Direction.REQUEST ? requestBytesLeft : replyBytesLeft;
        if (left == NEVER) {
            return bytes;
        }
        if (bytes > left) {
            requestBytesLeft = NEVER;
            replyBytesLeft = NEVER;
            return (int) left;
        }
        if (direction == Direction.REQUEST) {
            requestBytesLeft -= bytes;
        } else {
            replyBytesLeft -= bytes;
        }
        return bytes;
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                start("relay-connect", () -> connect(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        Socket replica = new Socket();
        sockets.add(client);
        sockets.add(replica);
        try {
            client.setTcpNoDelay(true);
            replica.setTcpNoDelay(true);
            replica.connect(target, CONNECT_MILLIS);
        } catch (IOException unreachable) {
            end(client, replica);
            return;
        }
        start("relay-replies", () -> forward(replica, client, Direction.REPLY));
        forward(client, replica, Direction.REQUEST);
    }

    private void forward(Socket from, Socket to, Direction direction) {
        byte[] piece = new byte[PIECE_BYTES];
        try {
            int read;
            while ((read = from.getInputStream().read(piece)) >= 0) {
                int passed = pass(direction, read);
                to.getOutputStream().write(piece, 0, passed);
                if (passed < read) {
                    break;
                }
            }
        } catch (IOException closed) {
            // Either side went away; the other one is told.
        }
        end(from, to);
    }

    private void end(Socket one, Socket other) {
        close(one);
        close(other);
        sockets.remove(one);
        sockets.remove(other);
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception ignored) {
            // It is closed already.
        }
    }

    @Override
    public void close() {
        close(server);
        sockets.forEach(CutRelay::close);
    }
}
