package io.holdfast.server.http.wire;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Says in JSON what the server refuses before anybody here sees it: requests that are malformed or too large. */
final class BareErrors extends ErrorHandler {
    private final int headerBytes;

    BareErrors(int headerBytes) {
        this.headerBytes = headerBytes;
    }

    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Reply.JSON);
        response.write(true, ByteBuffer.wrap(body(code, message)), callback);
    }

    @Override
    public ByteBuffer badMessageError(int status, @Nullable String reason, HttpFields.Mutable fields) {
        fields.put(new HttpField(HttpHeader.CONTENT_TYPE, Reply.JSON));
        return ByteBuffer.wrap(body(status, reason));
    }

    private byte[] body(int status, @Nullable String reason) {
        String detail = reason == null || reason.isEmpty() ? "" : ": " + reason;
        Problem problem = switch (status) {
            case 408 -> new Problem(status, "TIMEOUT", "the request did not arrive in time");
            case 413 -> Problem.tooLarge("body is too large");
            case 414 -> new Problem(status, "TOO_LARGE", "path and query are longer than " + headerBytes + " bytes");
            case 431 ->
                new Problem(
                        status, "TOO_LARGE", "the request's first line and headers exceed " + headerBytes + " bytes");
            default ->
                status < 500
                        ? new Problem(
                                        status,
                                        "INVALID",
                                        "request cannot be read: its first line, path or a header is wrong" + detail)
                                .with("field", "request")
                        : new Problem(status, "INTERNAL", "the request failed; the server's log says why");
        };
        return problem.reply().body();
    }
}
