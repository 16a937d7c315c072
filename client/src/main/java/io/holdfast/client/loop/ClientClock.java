package io.holdfast.client.loop;

/** The two clocks that a client reads. */
public interface ClientClock {
    /** Monotonic nanoseconds, from a start near zero. All decisions use this one (R1.1). */
    long nanos();

    /** The time of day. Its only use is to notice that the monotonic clock stood still (R1.3). */
    long wallMillis();

    /** The machine's clocks. */
    static ClientClock system() {
        long origin = System.nanoTime();
        return new ClientClock() {
            @Override
            public long nanos() {
                return System.nanoTime() - origin;
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }
        };
    }
}
