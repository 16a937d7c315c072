package io.holdfast.bench.load;

import io.holdfast.bench.driver.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * A fixed number of writes, each caller again and again to a name of its own; how long they took and the longest time in
 * which none was answered.
 */
final class Writes {
    private static final long STACK_BYTES = 256 << 10;

    private final AtomicLong left;
    private final AtomicLong lastNanos = new AtomicLong();
    private final LongAccumulator silenceNanos = new LongAccumulator(Math::max, 0);
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    private Writes(long count) {
        left = new AtomicLong(count);
    }

    static Fields run(Target target, Fields request) throws Exception {
        try (Target.Sessions sessions = target.open(request.integer("sessions"))) {
            return new Writes(request.number("count"))
                    .measure(target, sessions, request.integer("callers"), new byte[request.integer("bytes")]);
        }
    }

    private Fields measure(Target target, Target.Sessions sessions, int callers, byte[] value) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            Session session = sessions.of(caller);
            String path = target.freshName("write");
            threads.add(new Thread(null, () -> write(session, path, value), "writer-" + caller, STACK_BYTES));
        }
        long begin = System.nanoTime();
        lastNanos.set(begin);
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        return new Fields("").with("nanos", System.nanoTime() - begin).with("silenceNanos", silenceNanos.get());
    }

    private void write(Session session, String path, byte[] value) {
        while (failure.get() == null && left.getAndDecrement() > 0) {
            try {
                session.put(path, value);
            } catch (Exception failed) {
                failure.compareAndSet(null, failed);
            }
            long now = System.nanoTime();
            silenceNanos.accumulate(now - lastNanos.getAndSet(now));
        }
    }
}
