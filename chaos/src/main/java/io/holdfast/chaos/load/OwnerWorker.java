package io.holdfast.chaos.load;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Answer;
import io.holdfast.model.LockMode;
import java.util.List;
import java.util.SplittableRandom;

/** Asks through one replica who holds a lock (C13, C38). */
final class OwnerWorker extends Worker {
    private final HoldfastClient client;
    private final String replica;
    private final List<String> locks;

    OwnerWorker(
            HoldfastClient client, String replica, List<String> locks, HistoryWriter history, SplittableRandom random) {
        super(history, random);
        this.client = client;
        this.replica = replica;
        this.locks = locks;
    }

    @Override
    void once() {
        String lock = chance(50) ? locks.get(random.nextInt(locks.size())) : LockWorker.exclusiveLock(random);
        long before = System.nanoTime();
        List<Answer.PlaceInfo> held = client.admin().locks(lock).stream()
                .filter(place -> place.held() && place.mode() == LockMode.EXCLUSIVE)
                .toList();
        if (held.size() > 1) {
            history.unexpected("C13: " + replica + " names two exclusive holders of " + lock + ": " + held);
        }
        history.owner(lock, before, held.isEmpty() ? 0 : held.get(0).token().value(), replica);
        pause(between(300, 900));
    }
}
