package io.holdfast.chaos.load;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.HoldfastClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A client process: several sessions with several threads each. It ends when its input ends, after it has finished its
 * work and released what it holds.
 */
public final class LoadMain {
    private static final int LOCK_WORKERS = 2;
    private static final long FINISH_MILLIS = 12_000;
    /** Values are unique in a run: this many for each worker of each process. */
    private static final int VALUE_BITS = 24;

    private final LoadConfig config;
    private final HistoryWriter history;
    private final SplittableRandom random;
    private final List<Worker> workers = new ArrayList<>();

    private LoadMain(LoadConfig config) throws IOException {
        this.config = config;
        this.history = new HistoryWriter(config.history());
        this.random = new SplittableRandom(config.seed());
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        new LoadMain(LoadConfig.parse(args)).run();
        System.exit(0);
    }

    private void run() throws IOException, InterruptedException {
        try (Sessions sessions = new Sessions(config, history)) {
            HoldfastClient direct = sessions.open("direct", config.direct());
            HoldfastClient relayed = sessions.open("relayed", config.relayed());
            HoldfastClient lasting = sessions.open("lasting", config.direct());
            long firstValue = Math.floorMod(config.seed(), 1L << (62 - VALUE_BITS)) << VALUE_BITS;
            for (HoldfastClient client : List.of(direct, relayed)) {
                for (int i = 0; i < LOCK_WORKERS; i++) {
                    workers.add(new LockWorker(client, config, history, random.split()));
                }
                workers.add(new RegisterWorker(client, config, history, random.split(), firstValue));
                firstValue += 1L << (VALUE_BITS - 1);
            }
            workers.add(new CreateWorker(relayed, "/chaos/created/" + config.name(), history, random.split()));
            String own = "/chaos/lasting/" + config.name();
            workers.add(new LongHolder(lasting, own, history, random.split()));
            config.replicas().forEach((replica, endpoint) -> {
                HoldfastClient client = sessions.open("only-" + replica, endpoint);
                workers.add(new ReaderWorker(client, config, history, random.split()));
                workers.add(new OwnerWorker(client, replica, List.of(own), history, random.split()));
            });
            List<Thread> threads = start();
            waitForEndOfInput();
            finish(threads);
        }
    }

    private List<Thread> start() {
        List<Thread> threads = new ArrayList<>();
        for (Worker worker : workers) {
            Thread thread = new Thread(worker, worker.getClass().getSimpleName());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private static void waitForEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // Nothing is said; the end is the message.
        }
    }

    private void finish(List<Thread> threads) throws InterruptedException {
        workers.forEach(Worker::finish);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FINISH_MILLIS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
    }
}
