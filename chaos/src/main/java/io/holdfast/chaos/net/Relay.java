package io.holdfast.chaos.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between clients and one replica and forwards bytes; on demand it delays them, holds one direction back, or cuts a
 * connection after a request went through and before its reply does.
 *
 * <p><b>Thread:</b> any; each connection has two threads of its own.
 */
public final class Relay implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;

    private final InetSocketAddress target;
    private final ServerSocket server;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicLong hits = new AtomicLong();
    private volatile Behaviour behaviour = Behaviour.PLAIN;
    private volatile boolean admits = true;

    /**
     * What it does besides forwarding.
     *
     * @param delayMillis each piece waits so long, both ways
     * @param holdRequests nothing goes to the replica
     * @param holdReplies nothing comes back
     * @param cutAfterRequestMillis once a request of at least {@link #minRequestBytes} goes through, replies are dropped
     *     and, so much later, the connection is closed; -1 for never
     * @param minRequestBytes smaller pieces are no requests: most are pings of the transport
     */
    public record Behaviour(
            long delayMillis,
            boolean holdRequests,
            boolean holdReplies,
            long cutAfterRequestMillis,
            int minRequestBytes) {
        public static final Behaviour PLAIN = new Behaviour(0, false, false, -1, 0);

        public static Behaviour delay(long millis) {
            return new Behaviour(millis, false, false, -1, 0);
        }

        public static Behaviour cutBeforeReply(long afterMillis, int minRequestBytes) {
            return new Behaviour(0, false, false, afterMillis, minRequestBytes);
        }
    }

    /** @param port where it listens; 0 for one that is free, see {@link #port()} */
    public Relay(String host, int port, String targetHost, int targetPort) {
        this.target = new InetSocketAddress(targetHost, targetPort);
        try {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (IOException failed) {
            throw new UncheckedIOException("relay on " + host + ":" + port, failed);
        }
        start("relay-" + port, this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** For present and later connections. */
    public void behave(Behaviour next) {
        behaviour = next;
        synchronized (this) {
            notifyAll();
        }
    }

    /** Whether new connections get through; if not, each is closed at once. Those that exist stay. */
    public void admit(boolean newConnections) {
        admits = newConnections;
    }

    /** Whether a connection goes through it now. */
    public boolean isUsed() {
        return !links.isEmpty();
    }

    /** How many pieces were delayed or held, or connections cut, so far. */
    public long hits() {
        return hits.get();
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Link link = new Link(server.accept());
                if (!admits) {
                    link.close();
                    continue;
                }
                links.add(link);
                start("relay-connect", link::connect);
            } catch (IOException closed) {
                return;
            }
        }
    }

    @Override
    public void close() {
        closeQuietly(server);
        links.forEach(Link::close);
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception ignored) {
            // It is closed already.
        }
    }

    /** One connection of a client and the one to the replica that belongs to it. */
    private final class Link {
        private static final int PIECE_BYTES = 64 << 10;

        private final Socket client;
        private final Socket replica = new Socket();
        private volatile boolean repliesDropped;

        Link(Socket client) {
            this.client = client;
        }

        void connect() {
            try {
                client.setTcpNoDelay(true);
                replica.setTcpNoDelay(true);
                replica.connect(target, CONNECT_MILLIS);
            } catch (IOException unreachable) {
                close();
                return;
            }
            start("relay-replies", () -> forward(replica, client, false));
            forward(client, replica, true);
        }

        private void forward(Socket from, Socket to, boolean requests) {
            byte[] piece = new byte[PIECE_BYTES];
            try {
                int read;
                while ((read = from.getInputStream().read(piece)) >= 0) {
                    await(requests);
                    if (!requests && repliesDropped) {
                        continue;
                    }
                    // Decided before the request goes out: its reply may be back before this thread runs on.
                    long cutAfterMillis = requests ? cutAfter(read) : -1;
                    to.getOutputStream().write(piece, 0, read);
                    if (cutAfterMillis >= 0) {
                        Thread.sleep(cutAfterMillis);
                        break;
                    }
                }
            } catch (IOException closed) {
                // Either side went away; the other one is told.
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            close();
        }

        private void await(boolean requests) throws InterruptedException {
            Behaviour now = behaviour;
            if (now.delayMillis() > 0) {
                hits.incrementAndGet();
                Thread.sleep(now.delayMillis());
            }
            synchronized (Relay.this) {
                while (requests ? behaviour.holdRequests() : behaviour.holdReplies()) {
                    hits.incrementAndGet();
                    Relay.this.wait();
                }
            }
        }

        /** From here on no reply passes, if the answer is not -1. */
        private long cutAfter(int requestBytes) {
            Behaviour now = behaviour;
            if (now.cutAfterRequestMillis() < 0 || requestBytes < now.minRequestBytes()) {
                return -1;
            }
            repliesDropped = true;
            hits.incrementAndGet();
            return now.cutAfterRequestMillis();
        }

        void close() {
            links.remove(this);
            closeQuietly(client);
            closeQuietly(replica);
        }
    }
}
