package io.holdfast.server.parts;

/** A server did not start; the message is one line that names the port, file or directory and says what to do. */
public final class StartFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StartFailedException(String message) {
        super(message);
    }

    public StartFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
