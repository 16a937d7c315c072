package io.holdfast.server.http.wire;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Reads a request's body as it comes, without holding a thread in between, and keeps no more of it than its limit. A body that is a
 * little too large is read to its end and thrown away, so that its sender gets to read the refusal; of a larger one the connection
 * is closed.
 *
 * <p><b>Thread:</b> the server's, one at a time.
 */
final class AsyncBody implements ReadListener {
    /** Read and thrown away beyond the limit at most. */
    static final long MAX_DRAINED_BYTES = 1L << 20;

    private static final int CHUNK_BYTES = 8_192;
    /** What came, the whole of it, and what is made of it to be sent on. */
    private static final long COPIES = 3;

    private final ServletInputStream in;
    private final int limitBytes;
    private final MemoryBudget.Share memory;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final CompletableFuture<byte[]> done = new CompletableFuture<>();
    private long readBytes;

    private AsyncBody(ServletInputStream in, int limitBytes, MemoryBudget.Share memory) {
        this.in = in;
        this.limitBytes = limitBytes;
        this.memory = memory;
    }

    /**
     * Begins to read; the request must be asynchronous already.
     *
     * @return fails with a {@link Problem}: 413, 400 if the body ends early or is malformed, 503 if the memory is spent
     */
    static CompletableFuture<byte[]> read(HttpServletRequest request, int limitBytes, MemoryBudget.Share memory) {
        if (request.getContentLengthLong() > limitBytes + MAX_DRAINED_BYTES) {
            return CompletableFuture.failedFuture(tooLarge(limitBytes).header("Connection", "close"));
        }
        try {
            AsyncBody body = new AsyncBody(request.getInputStream(), limitBytes, memory);
            body.in.setReadListener(body);
            return body.done;
        } catch (IOException gone) {
            return CompletableFuture.failedFuture(malformed(gone));
        }
    }

    @Override
    public void onDataAvailable() throws IOException {
        while (!done.isDone() && in.isReady()) {
            int count = in.read(chunk);
            if (count < 0) {
                return; // onAllDataRead follows
            }
            readBytes += count;
            take(count);
        }
    }

    private void take(int count) {
        if (readBytes > limitBytes + MAX_DRAINED_BYTES) {
            done.completeExceptionally(tooLarge(limitBytes).header("Connection", "close"));
        } else if (readBytes <= limitBytes) {
            try {
                memory.reserve(COPIES * count);
                kept.write(chunk, 0, count);
            } catch (Problem spent) {
                done.completeExceptionally(spent.header("Connection", "close"));
            }
        }
    }

    @Override
    public void onAllDataRead() {
        if (readBytes > limitBytes) {
            done.completeExceptionally(tooLarge(limitBytes));
        } else {
            done.complete(kept.toByteArray());
        }
    }

    @Override
    public void onError(Throwable problem) {
        done.completeExceptionally(malformed(problem));
    }

    private static Problem tooLarge(int limitBytes) {
        return Problem.tooLarge("body is too large; at most " + limitBytes + " bytes are allowed");
    }

    private static Problem malformed(Throwable problem) {
        boolean late = problem instanceof TimeoutException || problem.getCause() instanceof TimeoutException;
        return (late ? late() : Problem.invalid("body", "ended early or is malformed")).header("Connection", "close");
    }

    /** 408: the client sends too slowly. Nothing was done. */
    static Problem late() {
        return new Problem(408, "TIMEOUT", "the body did not arrive in time").header("Connection", "close");
    }
}
