package io.holdfast.server.http.wire;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Sends a reply as fast as its reader takes it, without holding a thread in between.
 *
 * <p><b>Thread:</b> the server's, one at a time.
 */
final class AsyncWrite implements WriteListener {
    private static final int CHUNK_BYTES = 32 << 10;

    private final ServletOutputStream out;
    private final byte[] body;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int sentBytes;

    private AsyncWrite(ServletOutputStream out, byte[] body) {
        this.out = out;
        this.body = body;
    }

    /**
     * Begins to send; the request must be asynchronous already, and nothing sent yet.
     *
     * @param headOnly whether the body stays here and only its length is told
     * @return when all is handed to the server; fails if the client is gone
     */
    static CompletableFuture<Void> write(HttpServletResponse response, Reply reply, boolean headOnly) {
        try {
            response.setStatus(reply.status());
            response.setContentType(reply.contentType().isEmpty() ? null : reply.contentType());
            reply.headers().forEach(response::setHeader);
            boolean bodiless = reply.status() == 304 || reply.status() == 204;
            if (!bodiless) {
                response.setContentLengthLong(reply.body().length);
            }
            if (headOnly || bodiless || reply.body().length == 0) {
                return CompletableFuture.completedFuture(null);
            }
            AsyncWrite write = new AsyncWrite(response.getOutputStream(), reply.body());
            write.out.setWriteListener(write);
            return write.done;
        } catch (IOException | IllegalStateException gone) {
            return CompletableFuture.failedFuture(gone);
        }
    }

    @Override
    public void onWritePossible() throws IOException {
        while (out.isReady()) {
            if (sentBytes == body.length) {
                done.complete(null);
                return;
            }
            int count = Math.min(CHUNK_BYTES, body.length - sentBytes);
            out.write(body, sentBytes, count);
            sentBytes += count;
        }
    }

    @Override
    public void onError(Throwable problem) {
        done.completeExceptionally(problem);
    }
}
