package io.holdfast.chaos.holders;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockHold;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client process with several sessions, each of which takes a lock of its own and keeps it for as long as it may. It writes
 * down states, losses and samples of {@code isHeld()}, and ends when its input ends.
 *
 * <p>Arguments: endpoints, the path below which the locks are, how many, the file for the history, milliseconds between samples
 * and between writes of each session (0 for no writes).
 */
public final class HoldersMain {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Sessions are opened over this time, so that their KeepAlives are spread over their cadence. */
    private static final long SPREAD_MILLIS = 4_000;

    private final HistoryWriter history;
    private final List<HoldfastClient> clients = new ArrayList<>();
    private final List<LockHold> holds = new ArrayList<>();
    private final List<HolderWrites> writes = new ArrayList<>();

    private HoldersMain(HistoryWriter history) {
        this.history = history;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        HoldersMain holders = new HoldersMain(new HistoryWriter(Path.of(args[3])));
        Thread input = new Thread(HoldersMain::awaitEndOfInput, "end-of-input");
        input.setDaemon(true);
        input.start();
        holders.take(args[0], args[1], Integer.parseInt(args[2]));
        holders.work(input, Long.parseLong(args[4]), Long.parseLong(args[5]));
        holders.clients.parallelStream().forEach(HoldfastClient::close);
        System.exit(0);
    }

    /** Samples all holds at once; writes are spread over their period. */
    private void work(Thread input, long sampleMillis, long writeMillis) throws InterruptedException {
        long start = System.nanoTime();
        long begun = 0;
        while (input.isAlive()) {
            sample();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            for (; writeMillis > 0 && begun < millis * writes.size() / writeMillis; begun++) {
                writes.get((int) (begun % writes.size())).next();
            }
            TimeUnit.MILLISECONDS.sleep(sampleMillis);
        }
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said; the end is the message.
            }
        } catch (IOException gone) {
            // So is the one who would say it.
        }
    }

    private void take(String endpoints, String parent, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            String name = Integer.toString(i);
            HoldfastClient client = HoldfastClient.builder()
                    .withoutCache()
                    .endpoints(endpoints)
                    .clientName("holder" + parent.replace('/', '-') + "-" + i)
                    .callTimeout(PATIENCE)
                    .build();
            clients.add(client);
            // Its own session goes on being the one that it was: what has ended stays ended.
            var unusedStates =
                    client.onState(change -> history.state(name, change.state().name(), 0, change.reason()));
            hold(client, parent + "/" + name);
            writes.add(new HolderWrites(client, "/written" + parent + "/" + name, history));
            TimeUnit.MILLISECONDS.sleep(SPREAD_MILLIS / count);
        }
    }

    private void hold(HoldfastClient client, String path) throws InterruptedException {
        long invoked = System.nanoTime();
        try {
            LockHold hold = client.lock(path)
                    .acquire(PATIENCE)
                    .orElseThrow(() -> new IllegalStateException(path + " was not granted, though nobody holds it"));
            long token = hold.token().value();
            history.granted(path, token, false, invoked);
            var unusedLosses = hold.onLost(
                    (which, reason) -> history.lost(path, token, client.state().name(), reason));
            holds.add(hold);
        } catch (HoldfastException | IllegalStateException failed) {
            history.unexpected(path + ": " + failed);
        }
    }

    private void sample() {
        for (LockHold hold : holds) {
            long before = System.nanoTime();
            if (hold.isHeld()) {
                history.held(hold.path(), hold.token().value(), false, before, System.nanoTime());
            }
        }
    }
}
