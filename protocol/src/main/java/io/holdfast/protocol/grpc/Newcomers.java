package io.holdfast.protocol.grpc;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many connections were let in since the last pause and live: one whose other side had given up while it waited takes nobody's place.
 *
 * <p><b>Thread:</b> the event loop's of the port, but {@link #round}, which any may read.
 */
final class Newcomers {
    private final int most;
    private final AtomicInteger round = new AtomicInteger();
    private int living;

    Newcomers(int most) {
        this.most = most;
    }

    /** Counts pauses. */
    int round() {
        return round.get();
    }

    boolean isFull() {
        return living >= most;
    }

    void came() {
        living++;
    }

    /** One that came in that round has closed. */
    void went(int ofRound) {
        if (ofRound == round.get() && living > 0) {
            living--;
        }
    }

    /** There was a pause. */
    void next() {
        round.incrementAndGet();
        living = 0;
    }
}
