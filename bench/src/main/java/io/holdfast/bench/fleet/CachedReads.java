package io.holdfast.bench.fleet;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.FirstError;
import io.holdfast.client.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Each session reads one of many values a second, few of them often and most of them seldom, and all read one flag.
 *
 * <p><b>Thread:</b> requests one; one of its own begins the reads.
 */
final class CachedReads {
    private static final long NAP_MILLIS = 2;
    private static final long VALUE_PERIOD_MILLIS = 1_000;
    /** More reads that are not answered are not begun; they are counted instead. */
    private static final int MAX_OPEN = 20_000;

    private final List<FleetSession> sessions;
    private final double[] cumulated;
    private final FlagSightings sightings;
    private final Random random = new Random(ProcessHandle.current().pid());
    private final Thread thread = new Thread(this::work, "reads");

    private final AtomicLong open = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private final AtomicLong backwards = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final FirstError firstError = new FirstError();
    private volatile long flagMillis;
    private volatile boolean stopped;

    /** {@code values}, {@code zipf}, {@code flagMillis} between two looks of a session at the flag, {@code writes} to it. */
    CachedReads(List<FleetSession> sessions, Fields request) {
        this.sessions = sessions;
        this.cumulated = cumulated(request.integer("values"), request.decimal("zipf"));
        this.flagMillis = request.number("flagMillis");
        this.sightings = new FlagSightings(sessions.size(), request.integer("writes") + 1);
        thread.setDaemon(true);
        thread.start();
    }

    static String path(int value) {
        return "/fleet/values/" + value / 1_000 + "/" + value;
    }

    /** Shares of the values by rank, added up. */
    private static double[] cumulated(int values, double exponent) {
        double[] sums = new double[values];
        double sum = 0;
        for (int i = 0; i < values; i++) {
            sum += 1 / Math.pow(i + 1.0, exponent);
            sums[i] = sum;
        }
        return sums;
    }

    private int draw() {
        double point = random.nextDouble() * cumulated[cumulated.length - 1];
        int low = 0;
        int high = cumulated.length - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (cumulated[middle] < point) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void work() {
        long before = System.nanoTime();
        double values = 0;
        double flags = 0;
        int nextValue = 0;
        int nextFlag = 0;
        while (!stopped) {
            long now = System.nanoTime();
            double share = (double) (now - before) / TimeUnit.MILLISECONDS.toNanos(1) * sessions.size();
            before = now;
            for (values += share / VALUE_PERIOD_MILLIS; values >= 1; values--) {
                begin(nextValue, path(draw()), false);
                nextValue = (nextValue + 1) % sessions.size();
            }
            for (flags += share / flagMillis; flags >= 1; flags--) {
                begin(nextFlag, FleetSession.FLAG, true);
                nextFlag = (nextFlag + 1) % sessions.size();
            }
            try {
                TimeUnit.MILLISECONDS.sleep(NAP_MILLIS);
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    private void begin(int client, String path, boolean flag) {
        if (open.get() >= MAX_OPEN) {
            skipped.incrementAndGet();
            return;
        }
        open.incrementAndGet();
        long floor = sightings.newest(client);
        long beginNanos = System.nanoTime();
        var unused = sessions.get(client).client().values().getAsync(path).whenComplete((value, failure) -> {
            long endNanos = System.nanoTime();
            open.decrementAndGet();
            if (failure != null) {
                failed(failure.toString());
            } else if (value.isEmpty()) {
                failed("there is nothing at " + path);
            } else {
                answered.incrementAndGet();
                if (flag && !sightings.read(client, version(value), floor, beginNanos, endNanos)) {
                    backwards.incrementAndGet();
                }
            }
        });
    }

    private static int version(Optional<Value> value) {
        return Integer.parseInt(new String(value.orElseThrow().bytes(), StandardCharsets.US_ASCII));
    }

    private void failed(String why) {
        errors.incrementAndGet();
        firstError.offer(why);
    }

    /** Counts from now on; from now on the flag is looked at so often. */
    Fields mark(Fields request) {
        flagMillis = request.number("flagMillis");
        answered.set(0);
        skipped.set(0);
        errors.set(0);
        return new Fields("");
    }

    Fields figures() {
        return new Fields("")
                .with("reads", answered.get())
                .with("skipped", skipped.get())
                .with("backwards", backwards.get())
                .with("errors", errors.get())
                .with("firstError", firstError.word());
    }

    /**
     * Waits for at most {@code within} seconds until all have seen {@code version}, whose write began at {@code since} and was
     * acknowledged at {@code acked}.
     */
    Fields seen(Fields request) throws InterruptedException {
        int version = request.integer("version");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(request.integer("within"));
        while (sightings.seen(version) < sessions.size() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(NAP_MILLIS);
        }
        return new Fields("")
                .with("seen", sightings.seen(version))
                .with(
                        "delays",
                        sightings.delays(version, request.number("since")).encoded())
                .with("staleNanos", sightings.staleNanos(version, request.number("acked")));
    }

    Fields end() throws InterruptedException {
        stopped = true;
        thread.join();
        return figures();
    }
}
