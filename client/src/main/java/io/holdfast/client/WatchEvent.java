package io.holdfast.client;

import org.jspecify.annotations.Nullable;

/**
 * The one event of a watch.
 *
 * @param revision of the cell, at least that of what is newer; 0 if the watch ended
 * @param reason why there will be no event, if the watch ended; else null
 */
public record WatchEvent(
        String path, Type type, long revision, @Nullable HoldfastException reason) {
    public enum Type {
        /** There is something newer than what was read. Read, and watch, again. */
        NEWER,
        /** The session is over, and the watch with it. */
        ENDED
    }
}
