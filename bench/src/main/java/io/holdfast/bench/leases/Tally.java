package io.holdfast.bench.leases;

import io.holdfast.bench.load.FirstError;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Calls that did not come to what they should, and the first of them. <b>Thread:</b> any. */
final class Tally {
    private final AtomicLong count = new AtomicLong();
    private final FirstError first = new FirstError();

    void add(String what, LeaseCalls.@Nullable Answer answer, @Nullable Throwable failure) {
        count.incrementAndGet();
        first.offer(what + ": " + (answer == null ? failure : answer.status() + " " + answer.body()));
    }

    long count() {
        return count.get();
    }

    String first() {
        return first.word();
    }

    void reset() {
        count.set(0);
    }
}
