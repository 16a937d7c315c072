package io.holdfast.bench.load;

import io.holdfast.bench.driver.CallerLock;
import java.util.ArrayList;
import java.util.List;

/** Callers that acquire and release, each a name of its own. Records how long acquires take. */
final class Locks {
    private Locks() {}

    static Fields run(Target target, Fields request) throws Exception {
        try (Target.Sessions sessions = target.open(request.integer("sessions"))) {
            List<ClosedLoop.Step> steps = new ArrayList<>();
            for (int caller = 0; caller < request.integer("callers"); caller++) {
                CallerLock lock = sessions.of(caller).lock(target.freshName("lock"));
                steps.add(recorder -> {
                    long begin = System.nanoTime();
                    lock.acquire();
                    long acquired = System.nanoTime();
                    lock.release();
                    recorder.record(acquired - begin, begin, System.nanoTime());
                });
            }
            return ClosedLoop.run(steps, request);
        }
    }
}
