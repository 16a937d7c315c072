package io.holdfast.bench.load;

import io.holdfast.bench.driver.CallerLock;
import io.holdfast.bench.driver.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Many waiters behind one holder, who then lets go: how long until each has had its turn once. */
final class Herd {
    private static final long STACK_BYTES = 256 << 10;
    private static final long POLL_MILLIS = 200;

    private Herd() {}

    static Fields run(Target target, Fields request) throws Exception {
        int waiters = request.integer("callers");
        String name = target.freshName("herd");
        CountDownLatch done = new CountDownLatch(waiters);
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (Target.Sessions sessions = target.open(request.integer("sessions"))) {
            CallerLock first = sessions.of(0).lock(name);
            first.acquire();
            List<Thread> threads = new ArrayList<>();
            long queueBegin = System.nanoTime();
            for (int caller = 0; caller < waiters; caller++) {
                CallerLock lock = sessions.of(caller).lock(name);
                Thread thread = new Thread(null, () -> takeTurn(lock, done, failure), "waiter-" + caller, STACK_BYTES);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
            awaitQueue(sessions.of(0), name, waiters + 1, request.number("within"));
            long queued = System.nanoTime() - queueBegin;
            ServerCpu cpu = new ServerCpu(request.text("pids"));
            long beginCpu = cpu.nanos();
            long begin = System.nanoTime();
            first.release();
            boolean all = done.await(request.number("within"), TimeUnit.SECONDS);
            long nanos = System.nanoTime() - begin;
            long cpuNanos = cpu.nanos() - beginCpu;
            threads.forEach(Thread::interrupt);
            Exception failed = failure.get();
            if (failed != null) {
                throw failed;
            }
            if (!all) {
                throw new IllegalStateException(done.getCount() + " waiters never had their turn");
            }
            return new Fields("")
                    .with("count", waiters)
                    .with("queueNanos", queued)
                    .with("nanos", nanos)
                    .with("cpuNanosEach", cpuNanos / waiters);
        }
    }

    private static void takeTurn(CallerLock lock, CountDownLatch done, AtomicReference<Exception> failure) {
        try {
            lock.acquire();
            lock.release();
        } catch (InterruptedException ended) {
            return;
        } catch (Exception failed) {
            failure.compareAndSet(null, failed);
        }
        done.countDown();
    }

    private static void awaitQueue(Session session, String name, int expected, long seconds) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (session.queued(name) < expected) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "only " + session.queued(name) + " of " + expected + " are in the queue");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }
}
