package io.holdfast.client;

/**
 * Follows something in the cell: told the present state first, then newer ones. It may skip states that are overtaken, never the
 * newest. Called on the callback executor, one call after the other; a slow one delays nobody else, as long as
 * the executor has a thread for each that is slow (its own: 16).
 *
 * <p>What was told counts as certain until {@link #onUnsure}; the first {@link #onState} or {@link #onSure} after that ends the
 * doubt. After {@link #onEnded} nothing more comes, and what was told counts for nothing.
 *
 * @param <T> what is followed
 */
@FunctionalInterface
public interface WatchListener<T> {
    /** The state, newer than all that was told before. */
    void onState(T state);

    /** What was told may be old: the connection to the leader is lost, or the session is in jeopardy. */
    default void onUnsure(String reason) {}

    /** What was told last is still the state. */
    default void onSure() {}

    /**
     * Nobody will be told anything more: the session is over, or the cell refused.
     *
     * @param reason for example a {@link SessionExpiredException}
     */
    default void onEnded(HoldfastException reason) {}
}
