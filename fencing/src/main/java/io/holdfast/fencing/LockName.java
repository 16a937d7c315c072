package io.holdfast.fencing;

import io.holdfast.model.Limits;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The name of a lock as its guards know it: the path of a lock ({@code /jobs/reindex}) or the name of a leased lock. Not
 * empty, valid Unicode, no control character, at most {@link Limits#MAX_PATH_BYTES} bytes of UTF-8. Two names are the same
 * lock only if they are equal character by character.
 */
public record LockName(String value) implements Comparable<LockName> {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException with a message that says what is wrong with it
     */
    public LockName {
        if (value == null) {
            throw new IllegalArgumentException("a lock's name must not be null");
        }
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a lock's name must not be empty");
        }
        int sizeBytes = sizeBytes(value);
        if (sizeBytes > Limits.MAX_PATH_BYTES) {
            throw new IllegalArgumentException("a lock's name must have at most " + Limits.MAX_PATH_BYTES
                    + " bytes of UTF-8, this one has " + sizeBytes + ": '" + value.substring(0, 40) + "…'");
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                throw new IllegalArgumentException("a lock's name must have no control character, this one has one at"
                        + " position " + i + ": '" + value.replaceAll("\\p{Cntrl}", "?") + "'");
            }
        }
    }

    private static int sizeBytes(String name) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            return encoded.remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a lock's name must be valid Unicode, this one has half a character", e);
        }
    }

    @Override
    public int compareTo(LockName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
