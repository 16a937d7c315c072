package io.holdfast.chaos.load;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.PutResult;
import java.util.SplittableRandom;

/** Creates values under names of its own that nobody ever deletes: each that was acknowledged must be there at the end (C08). */
final class CreateWorker extends Worker {
    private final HoldfastClient client;
    private final String parent;
    private long next;

    CreateWorker(HoldfastClient client, String parent, HistoryWriter history, SplittableRandom random) {
        super(history, random);
        this.client = client;
        this.parent = parent;
    }

    @Override
    void once() {
        String path = parent + "/" + next++;
        PutResult made = client.values().create(path, Registers.bytes(next));
        if (!made.created() || made.version() != 0) {
            history.unexpected("create " + path + " was answered by " + made);
        }
        history.created(path);
        pause(between(100, 400));
    }
}
