package io.holdfast.client.session;

import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import org.jspecify.annotations.Nullable;

/** One call that wants a lock, from asking until it is granted or given up. Written by {@link LockMachine}. */
final class Attempt {
    final long callId;
    final AcquireSpec spec;
    /** When its waiting in the queue is over. */
    final long waitUntilNanos;
    /** Its create; null once that is answered. */
    @Nullable
    Request asking;
    /** Its place in the queue; null until known. */
    @Nullable
    NodePath place;

    @Nullable
    FencingToken token;

    Deadlines.@Nullable Key deadline;

    Attempt(long callId, AcquireSpec spec, long waitUntilNanos) {
        this.callId = callId;
        this.spec = spec;
        this.waitUntilNanos = waitUntilNanos;
    }
}
