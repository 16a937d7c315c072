package io.holdfast.chaos.load;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Value;
import io.holdfast.simulation.check.RegisterOp;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads through one replica alone, several reads at a time, so that some are waiting in it when it wakes from a pause or
 * comes back from the wrong side of a cut (C36, C38).
 */
final class ReaderWorker extends Worker {
    private static final int READS_AT_ONCE = 6;

    private final HoldfastClient client;
    private final LoadConfig config;
    private final Semaphore free = new Semaphore(READS_AT_ONCE);

    ReaderWorker(HoldfastClient client, LoadConfig config, HistoryWriter history, SplittableRandom random) {
        super(history, random);
        this.client = client;
        this.config = config;
    }

    @Override
    void once() throws InterruptedException {
        if (!free.tryAcquire(1, TimeUnit.SECONDS)) {
            return;
        }
        String key = Registers.key(config.startNanos(), random.nextInt(Registers.keys()));
        long id = history.invoked(key, RegisterOp.Kind.GET, 0, 0);
        var unused = client.values().getAsync(key).whenComplete((read, failure) -> {
            free.release();
            if (failure == null) {
                answered(id, read);
            } else {
                history.notDone(id);
            }
        });
        pause(between(50, 250));
    }

    private void answered(long id, Optional<Value> read) {
        history.returned(
                id,
                read.map(Value::version).orElse(RegisterOp.ABSENT),
                read.map(Registers::number).orElse(0L));
    }
}
