package io.holdfast.client;

/** A listener that is listening. Closing it is idempotent; a call that has begun may still end afterwards. */
public interface Subscription extends AutoCloseable {
    @Override
    void close();
}
