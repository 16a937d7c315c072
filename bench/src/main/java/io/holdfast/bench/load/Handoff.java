package io.holdfast.bench.load;

import io.holdfast.bench.driver.CallerLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Waiters on one name, each queueing again as soon as it has had its turn. Records hand-overs: from the call of a holder's
 * release to the return of the next one's acquire.
 */
final class Handoff {
    private Handoff() {}

    static Fields run(Target target, Fields request) throws Exception {
        AtomicLong releasedNanos = new AtomicLong(System.nanoTime());
        String name = target.freshName("handoff");
        try (Target.Sessions sessions = target.open(request.integer("sessions"))) {
            List<ClosedLoop.Step> steps = new ArrayList<>();
            for (int caller = 0; caller < request.integer("callers"); caller++) {
                CallerLock lock = sessions.of(caller).lock(name);
                steps.add(recorder -> {
                    lock.acquire();
                    long acquired = System.nanoTime();
                    long released = releasedNanos.get();
                    recorder.record(acquired - released, released, acquired);
                    releasedNanos.set(System.nanoTime());
                    lock.release();
                });
            }
            return ClosedLoop.run(steps, request);
        }
    }
}
