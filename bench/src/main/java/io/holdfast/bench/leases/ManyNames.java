package io.holdfast.bench.leases;

import io.holdfast.bench.load.Fields;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Very many names, each acquired once: every second one is released at once, the others run out.
 *
 * <p><b>Thread:</b> one begins; answers come on the HTTP client's.
 */
final class ManyNames {
    private static final long END_SECONDS = 120;

    private final LeaseCalls calls;
    private final int count;
    private final int callers;
    private final long leaseMillis;
    private final String prefix = "names/" + ProcessHandle.current().pid() + "/";
    private final Tally errors = new Tally();
    private final AtomicLong granted = new AtomicLong();
    private final Semaphore free;

    ManyNames(LeaseCalls calls, Fields request) {
        this.calls = calls;
        this.count = request.integer("count");
        this.callers = request.integer("callers");
        this.leaseMillis = request.number("leaseMillis");
        this.free = new Semaphore(callers);
    }

    Fields run() throws InterruptedException {
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            free.acquire();
            int number = i;
            calls.acquire(number, prefix + number, "owner", leaseMillis)
                    .whenComplete((answer, failure) -> acquired(number, answer, failure));
        }
        if (!free.tryAcquire(callers, END_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("calls were not answered within " + END_SECONDS + " s");
        }
        return new Fields("")
                .with("nanos", System.nanoTime() - begin)
                .with("granted", granted.get())
                .with("errors", errors.count())
                .with("firstError", errors.first());
    }

    private void acquired(int number, LeaseCalls.@Nullable Answer answer, @Nullable Throwable failure) {
        if (answer == null || answer.status() != LeaseCalls.OK) {
            errors.add("acquire", answer, failure);
            free.release();
            return;
        }
        granted.incrementAndGet();
        if (number % 2 == 1) {
            free.release();
            return;
        }
        calls.release(number, prefix + number, "owner", answer.token()).whenComplete((released, problem) -> {
            if (released == null || released.status() != LeaseCalls.OK) {
                errors.add("release", released, problem);
            }
            free.release();
        });
    }
}
