package io.holdfast.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports of the loopback interface, below those that the system gives to outgoing connections. */
final class Ports {
    private static final int FROM = 15_000;
    private static final int TO = 31_000;
    private static final int TRIES = 1_000;

    private Ports() {}

    /** The first of so many free ports in a row. */
    static int consecutive(int count) {
        for (int i = 0; i < TRIES; i++) {
            int first = ThreadLocalRandom.current().nextInt(FROM, TO - count);
            if (areFree(first, count)) {
                return first;
            }
        }
        throw new IllegalStateException("no " + count + " free ports in a row");
    }

    private static boolean areFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException taken) {
                return false;
            }
        }
        return true;
    }
}
