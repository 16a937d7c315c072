package io.holdfast.proxy.core;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who a front end is, and its bounds.
 *
 * @param cell told to every client
 * @param deployment identity of the deployment, told to every client
 * @param replica or proxy that the client is connected to, told to every client
 * @param clientAddresses client address of each replica by name, as far as known: hints for interrupted clients
 * @param bounds limits of what it keeps
 * @param times limits of how long it waits
 */
public record FrontEndConfig(
        String cell,
        String deployment,
        String replica,
        SortedMap<String, String> clientAddresses,
        Bounds bounds,
        Times times) {
    public FrontEndConfig {
        clientAddresses = Collections.unmodifiableSortedMap(new TreeMap<>(clientAddresses));
    }

    /** With the default bounds and times, and no hints. */
    public static FrontEndConfig of(String cell, String deployment, String replica) {
        return new FrontEndConfig(cell, deployment, replica, new TreeMap<>(), Bounds.defaults(), Times.defaults());
    }

    /** The same for another deployment of the cell. */
    public FrontEndConfig withDeployment(String other) {
        return new FrontEndConfig(cell, other, replica, clientAddresses, bounds, times);
    }

    /** The same, with so many client streams at most if that is less. */
    public FrontEndConfig withStreams(int most) {
        Bounds fewer = new Bounds(
                Math.min(most, bounds.maxStreams()),
                bounds.maxInFlight(),
                bounds.maxWaitingFrames(),
                bounds.maxWaitingBytes());
        return new FrontEndConfig(cell, deployment, replica, clientAddresses, fewer, times);
    }

    /**
     * What is kept at most.
     *
     * @param maxStreams client streams
     * @param maxInFlight requests and reads of one stream that are forwarded and not yet answered
     * @param maxWaitingFrames frames of one stream that wait for a leader
     * @param maxWaitingBytes of all frames that wait for a leader
     */
    public record Bounds(int maxStreams, int maxInFlight, int maxWaitingFrames, long maxWaitingBytes) {
        public static Bounds defaults() {
            return new Bounds(10_000, 2_048, 2_048, 64L << 20);
        }
    }

    /**
     * How long it waits, in nanoseconds.
     *
     * @param maxWaitNanos a frame waits for a leader at most this long (R3.5: 2 s for KeepAlives)
     * @param openTimeoutNanos a link that does not open within this time is given up
     * @param minReopenNanos first delay before a link that failed is dialled again; doubles
     * @param maxReopenNanos longest such delay
     */
    public record Times(long maxWaitNanos, long openTimeoutNanos, long minReopenNanos, long maxReopenNanos) {
        private static final long MILLI = 1_000_000L;

        public static Times defaults() {
            return new Times(2_000 * MILLI, 2_000 * MILLI, 20 * MILLI, 500 * MILLI);
        }
    }
}
