package io.holdfast.client.session;

import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;

/**
 * What lock to take and how.
 *
 * @param lockDelayMillis how long the place blocks others if the session expires (R4.6), 0 for none
 * @param value kept at the place for others to read; shared, nobody changes it
 */
public record AcquireSpec(NodePath lock, LockMode mode, long lockDelayMillis, byte[] value) {
    /**
     * @throws IllegalArgumentException if the lock-delay or the value is out of its range
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
    }

    @Override
    public String toString() {
        return "acquire " + lock + (mode == LockMode.SHARED ? " shared" : "");
    }
}
