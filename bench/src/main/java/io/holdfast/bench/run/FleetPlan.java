package io.holdfast.bench.run;

import java.io.IOException;

/**
 * What {@code bench/fleet} is asked to do.
 *
 * @param processes load JVMs that the sessions are spread over
 * @param seconds for which all have to stay safe
 * @param hold whether each session holds a lock
 * @param cacheBytes of each client; 0 for no cache
 */
record FleetPlan(int sessions, int processes, int proxies, int replicas, int seconds, boolean hold, long cacheBytes) {
    private static final int MIN_PROCESSES = 3;
    private static final int SESSIONS_PER_PROCESS = 5_000;
    private static final int MAX_SESSIONS = 100_000;
    /** Of each process, besides one for each session. */
    private static final int OTHER_FILES = 500;

    /** @throws IllegalArgumentException if it cannot be done, saying why */
    static FleetPlan of(Options options, int replicas) throws IOException {
        int sessions = options.integer("sessions", options.has("cache") ? 5_000 : 10_000, 200, 1, MAX_SESSIONS);
        int processes = options.integer(
                "processes",
                Math.max(MIN_PROCESSES, (sessions + SESSIONS_PER_PROCESS - 1) / SESSIONS_PER_PROCESS),
                MIN_PROCESSES,
                1,
                64);
        int proxies = options.integer("proxies", 5, 2, 0, 50);
        boolean kill = options.has("kill-proxy");
        if (kill && proxies < 2) {
            throw new IllegalArgumentException("--kill-proxy needs --proxies 2 or more: its clients must have another");
        }
        int minutes = options.integer("minutes", 10, 1, 1, 1_440);
        int seconds = options.integer("seconds", minutes * 60, 20, 5, 86_400);
        long cacheBytes = options.has("cache") ? options.integer("cache-kb", 256, 64, 1, 1 << 20) * 1024L : 0;
        int most = sessions / processes + 1;
        if (proxies > 0) {
            most = Math.max(most, 2 * sessions / Math.max(1, kill ? proxies - 1 : proxies));
        }
        MachineFacts.requireFiles(most + OTHER_FILES);
        return new FleetPlan(sessions, processes, proxies, replicas, seconds, kill || options.has("hold"), cacheBytes);
    }

    /** Sessions of one load JVM. */
    int share(int process) {
        return sessions / processes + (process < sessions % processes ? 1 : 0);
    }
}
