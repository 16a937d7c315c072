package io.holdfast.storage;

import java.io.IOException;
import java.util.Locale;

/**
 * A write found no room. What it wrote has been cut off again, so the same write may be tried later. Only ever for a
 * write: a failed fsync is fatal whatever its reason.
 */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1;

    public DiskFullException(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /** For a quota, which leaves room for others, the system's own words are all there is to go by. */
    static boolean isReasonOf(IOException failure) {
        if (failure instanceof NoRoomException) {
            return true;
        }
        String message = failure.getMessage();
        if (message == null) {
            return false;
        }
        String lower = message.toLowerCase(Locale.ROOT);
        return lower.contains("no space left on device") || lower.contains("disk quota exceeded");
    }
}
