package io.holdfast.bench.load;

import io.holdfast.bench.driver.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A fixed number of writes, each caller again and again to a name of its own. */
final class Writes {
    private static final long STACK_BYTES = 256 << 10;

    private Writes() {}

    static Fields run(Target target, Fields request) throws Exception {
        byte[] value = new byte[request.integer("bytes")];
        AtomicLong left = new AtomicLong(request.number("count"));
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (Target.Sessions sessions = target.open(request.integer("sessions"))) {
            List<Thread> threads = new ArrayList<>();
            for (int caller = 0; caller < request.integer("callers"); caller++) {
                Session session = sessions.of(caller);
                String path = target.freshName("write");
                threads.add(new Thread(
                        null, () -> write(session, path, value, left, failure), "writer-" + caller, STACK_BYTES));
            }
            long begin = System.nanoTime();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            Exception failed = failure.get();
            if (failed != null) {
                throw failed;
            }
            return new Fields("").with("nanos", System.nanoTime() - begin);
        }
    }

    private static void write(
            Session session, String path, byte[] value, AtomicLong left, AtomicReference<Exception> failure) {
        while (failure.get() == null && left.getAndDecrement() > 0) {
            try {
                session.put(path, value);
            } catch (Exception failed) {
                failure.compareAndSet(null, failed);
            }
        }
    }
}
