package io.holdfast.server.http.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory all requests together may keep for one purpose, so that many of them cannot fill the heap.
 *
 * <p><b>Thread:</b> any.
 */
public final class MemoryBudget {
    private final String purpose;
    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();

    /** @param purpose named in the refusal */
    public MemoryBudget(String purpose, long limitBytes) {
        this.purpose = purpose;
        this.limitBytes = limitBytes;
    }

    /** @throws Problem 503 BUSY if so much is not left */
    public void reserve(long bytes) {
        if (usedBytes.addAndGet(bytes) > limitBytes) {
            usedBytes.addAndGet(-bytes);
            throw Problem.busy("this server holds as many " + purpose + " as it may (" + limitBytes
                    + " bytes); try again later, or another server");
        }
    }

    public void release(long bytes) {
        usedBytes.addAndGet(-bytes);
    }

    public long usedBytes() {
        return usedBytes.get();
    }

    /** What one request has reserved; given back once, whole. */
    public final class Share {
        private final AtomicLong bytes = new AtomicLong();

        public void reserve(long more) {
            MemoryBudget.this.reserve(more);
            bytes.addAndGet(more);
        }

        public void releaseAll() {
            release(bytes.getAndSet(0));
        }
    }

    public Share share() {
        return new Share();
    }
}
