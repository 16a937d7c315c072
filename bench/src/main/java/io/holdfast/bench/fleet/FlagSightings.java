package io.holdfast.bench.fleet;

import io.holdfast.bench.load.Latencies;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which version of the flag each client saw when.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Source:</b> F7: no cached read returns a value older than the newest write acknowledged before the read began, nor goes back
 * in time for one client.
 */
final class FlagSightings {
    private static final long UNSEEN = Long.MIN_VALUE;

    private final int clients;
    private final int versions;
    /** When each client saw at least this version first; by client, then version. */
    private final AtomicLongArray firstSeen;
    /** The newest version that a read of each client has returned. */
    private final AtomicLongArray newest;
    /** When the latest read that returned this version began. */
    private final AtomicLongArray latestBegin;

    /** @param versions they are 0 to this, excluded */
    FlagSightings(int clients, int versions) {
        this.clients = clients;
        this.versions = versions;
        this.firstSeen = unseen(clients * versions);
        this.newest = unseen(clients);
        this.latestBegin = unseen(versions);
    }

    private static AtomicLongArray unseen(int length) {
        AtomicLongArray array = new AtomicLongArray(length);
        for (int i = 0; i < length; i++) {
            array.set(i, UNSEEN);
        }
        return array;
    }

    /** What a client has seen so far: a read that begins now must not return less. */
    long newest(int client) {
        return newest.get(client);
    }

    /**
     * A read has returned.
     *
     * @param floor what {@link #newest} said when it began
     * @return false if it went back in time
     */
    boolean read(int client, int version, long floor, long beginNanos, long endNanos) {
        latestBegin.accumulateAndGet(version, beginNanos, Math::max);
        newest.accumulateAndGet(client, version, Math::max);
        for (int i = client * versions + version; i >= client * versions && firstSeen.get(i) == UNSEEN; i--) {
            firstSeen.compareAndSet(i, UNSEEN, endNanos);
        }
        return version >= floor;
    }

    /** How many clients have seen a version or a newer one. */
    int seen(int version) {
        int seen = 0;
        for (int client = 0; client < clients; client++) {
            seen += newest.get(client) >= version ? 1 : 0;
        }
        return seen;
    }

    /** For each client that has, how long after a moment. */
    Latencies delays(int version, long sinceNanos) {
        Latencies delays = new Latencies();
        for (int client = 0; client < clients; client++) {
            long at = firstSeen.get(client * versions + version);
            if (at != UNSEEN) {
                delays.record(at - sinceNanos);
            }
        }
        return delays;
    }

    /** By how much a read that returned an older version began after this one was acknowledged; 0 or less if none did. */
    long staleNanos(int version, long ackNanos) {
        long worst = 0;
        for (int older = 0; older < version; older++) {
            long begin = latestBegin.get(older);
            worst = begin == UNSEEN ? worst : Math.max(worst, begin - ackNanos);
        }
        return worst;
    }
}
