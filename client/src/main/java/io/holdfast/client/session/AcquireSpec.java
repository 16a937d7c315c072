package io.holdfast.client.session;

import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;

/**
 * What lock to take and how.
 *
 * @param lockDelayMillis how long the place blocks others if the session expires (R4.6), 0 for none
 * @param value kept at the place for others to read; shared, nobody changes it
 * @param permits of the semaphore, for {@link LockMode#PERMIT}; 0 for a lock
 */
public record AcquireSpec(NodePath lock, LockMode mode, long lockDelayMillis, byte[] value, int permits) {
    /**
     * @throws IllegalArgumentException if the lock-delay, the value or the permits are out of their range
     */
    public AcquireSpec {
        if (lock.isRoot()) {
            throw new IllegalArgumentException("the root '/' cannot be a lock");
        }
        if (lockDelayMillis < 0 || lockDelayMillis > Limits.MAX_LOCK_DELAY_MILLIS) {
            throw new IllegalArgumentException("lock-delay of " + lockDelayMillis + " ms is out of range: 0 to "
                    + Limits.MAX_LOCK_DELAY_MILLIS + " ms are allowed");
        }
        if (value.length > Limits.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "value of " + value.length + " bytes is over the limit of " + Limits.MAX_VALUE_BYTES + " bytes");
        }
        if (mode == LockMode.PERMIT ? permits < 1 || permits > Limits.MAX_PERMITS : permits != 0) {
            throw new IllegalArgumentException("a semaphore of " + permits + " permits is out of range: 1 to "
                    + Limits.MAX_PERMITS + " are allowed, and none for a lock");
        }
    }

    /** Of a lock. */
    public AcquireSpec(NodePath lock, LockMode mode, long lockDelayMillis, byte[] value) {
        this(lock, mode, lockDelayMillis, value, 0);
    }

    @Override
    public String toString() {
        return "acquire " + lock
                + switch (mode) {
                    case EXCLUSIVE -> "";
                    case SHARED -> " shared";
                    case PERMIT -> " (one of " + permits + " permits)";
                };
    }
}
