package io.holdfast.cell.format;

/** Bytes that no version of the format known here could have written: the log or a snapshot cannot be trusted (R8.3). */
public final class MalformedDataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedDataException(String message) {
        super(message);
    }

    public MalformedDataException(String message, Throwable cause) {
        super(message, cause);
    }
}
