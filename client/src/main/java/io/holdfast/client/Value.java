package io.holdfast.client;

import java.nio.charset.StandardCharsets;

/**
 * A configuration value as it was read.
 *
 * @param bytes a copy of the reader's own
 * @param version starts at 0, raised by every write; for compare-and-set
 */
public record Value(String path, byte[] bytes, long version, long createRevision, long modifyRevision) {
    /** The bytes as UTF-8 text. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
