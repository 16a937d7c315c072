package io.holdfast.chaos.frozen;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The highest version of the round's value that anybody was told of. A read that begins now must not answer a lower one (N7):
 * versions of a node only rise, so this one number judges both reads against writes and reads against earlier reads.
 *
 * <p><b>Thread:</b> any.
 */
final class NewestValue {
    private static final long NONE = -1;

    private final AtomicLong highest = new AtomicLong(NONE);

    /** A write with this version was acknowledged, or a read answered it. */
    void seen(long version) {
        highest.accumulateAndGet(version, Math::max);
    }

    /** To be taken before the read is sent. */
    long bound() {
        return highest.get();
    }
}
