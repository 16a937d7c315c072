package io.holdfast.bench.load;

import io.holdfast.bench.driver.Session;
import java.util.ArrayList;
import java.util.List;

/** Callers that read one value each, linearizably, again and again. */
final class Reads {
    private Reads() {}

    static Fields run(Target target, Fields request) throws Exception {
        byte[] value = new byte[request.integer("bytes")];
        try (Target.Sessions sessions = target.open(request.integer("sessions"))) {
            List<ClosedLoop.Step> steps = new ArrayList<>();
            for (int caller = 0; caller < request.integer("callers"); caller++) {
                Session session = sessions.of(caller);
                String path = target.freshName("value");
                session.put(path, value);
                steps.add(recorder -> {
                    long begin = System.nanoTime();
                    byte[] read = session.get(path);
                    long end = System.nanoTime();
                    if (read.length != value.length) {
                        throw new IllegalStateException("read " + read.length + " bytes of " + value.length);
                    }
                    recorder.record(end - begin, begin, end);
                });
            }
            return ClosedLoop.run(steps, request);
        }
    }
}
