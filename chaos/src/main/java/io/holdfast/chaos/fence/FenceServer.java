package io.holdfast.chaos.fence;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The resource that the locks protect: it keeps the highest token of each lock, refuses a lower one, and logs each write as
 * {@code nanos lock token mode owner answer} (oracle O1).
 *
 * <p>A request is one line, {@code lock token mode owner}; the answer {@code ok} or {@code refused HIGHEST}. A shared token is
 * refused below the highest exclusive one, an exclusive token below the highest of all (F9).
 *
 * <p><b>Thread:</b> any; writes are taken one at a time.
 */
public final class FenceServer implements AutoCloseable {
    static final String EXCLUSIVE = "x";

    private final ServerSocket server;
    private final PrintWriter log;
    private final Map<String, Highest> locks = new HashMap<>();
    private long accepted;
    private long refused;

    private static final class Highest {
        long any;
        long exclusive;
    }

    public FenceServer(String host, int port, Path logFile) {
        try {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getByName(host), port));
            log = new PrintWriter(Files.newBufferedWriter(logFile, StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException("fenced resource on " + host + ":" + port, failed);
        }
        start("fence", this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public synchronized long accepted() {
        return accepted;
    }

    /** Writes with a token that had been overtaken. */
    public synchronized long refused() {
        return refused;
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
                start("fence-client", () -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter out = new PrintWriter(client.getOutputStream(), false, StandardCharsets.UTF_8)) {
            client.setTcpNoDelay(true);
            String line;
            while ((line = in.readLine()) != null) {
                String[] words = line.split(" ", 4);
                out.println(write(words[0], Long.parseLong(words[1]), words[2], words[3]));
                out.flush();
            }
        } catch (IOException gone) {
            // The client was killed.
        }
    }

    private synchronized String write(String lock, long token, String mode, String owner) {
        Highest highest = locks.computeIfAbsent(lock, unseen -> new Highest());
        long bound = mode.equals(EXCLUSIVE) ? highest.any : highest.exclusive;
        String answer;
        if (token < bound) {
            answer = "refused " + bound;
            refused++;
        } else {
            highest.any = Math.max(highest.any, token);
            if (mode.equals(EXCLUSIVE)) {
                highest.exclusive = Math.max(highest.exclusive, token);
            }
            answer = "ok";
            accepted++;
        }
        log.println(System.nanoTime() + " " + lock + " " + token + " " + mode + " " + owner + " " + answer);
        return answer;
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException ignored) {
            // Nothing waits for it any more.
        }
        synchronized (this) {
            log.close();
        }
    }
}
