package io.holdfast.client;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock as {@link ReadWriteLock}: its read lock is the lock taken shared, its write lock the lock taken exclusively.
 *
 * <p>Fair: served in order of arrival, so that neither readers nor writers starve. There is neither an upgrade nor a downgrade: a thread
 * that holds one and asks for the other would wait for itself and gets an {@link IllegalStateException}. All else is said at
 * {@link LockView}.
 *
 * <p><b>Thread:</b> any.
 */
public final class ReadWriteLockView implements ReadWriteLock {
    private final LockView read;
    private final LockView write;

    ReadWriteLockView(LockRecipe exclusive) {
        LockView.Holds holds = new LockView.Holds();
        this.read = new LockView(exclusive.shared(), holds);
        this.write = new LockView(exclusive, holds);
    }

    @Override
    public LockView readLock() {
        return read;
    }

    @Override
    public LockView writeLock() {
        return write;
    }
}
