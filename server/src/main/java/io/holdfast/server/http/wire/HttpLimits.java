package io.holdfast.server.http.wire;

/**
 * What clients may use up of the HTTP port.
 *
 * @param connections open at a time; more wait to be accepted, and idle ones are closed after half of {@code headerMillis}
 * @param headerBytes of a request's first line and headers
 * @param headerMillis from the first byte of a request until its headers are complete
 * @param idleMillis without a byte in either direction; longer than any request may wait
 * @param bodyBytes of all bodies that are kept at a time, each in three copies
 * @param replyBytes of all large answers that are kept at a time
 * @param sendMillis until an answer is taken by its reader
 */
public record HttpLimits(
        int connections,
        int headerBytes,
        long headerMillis,
        long idleMillis,
        long bodyBytes,
        long replyBytes,
        long sendMillis) {
    public static final HttpLimits DEFAULT = new HttpLimits(
            4_096, 8_192, 10_000, Call.MAX_TIMEOUT_MILLIS + 5_000, 32L << 20, 32L << 20, Call.MAX_TIMEOUT_MILLIS);
}
