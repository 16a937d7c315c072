package io.holdfast.bench.driver;

/** Sessions that do nothing but stay alive. <b>Thread:</b> any. */
public interface IdleSessions extends AutoCloseable {
    /** How many are alive for certain at this moment. */
    int alive();

    @Override
    void close() throws Exception;
}
