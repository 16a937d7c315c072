package io.holdfast.client;

/** Told once if a hold is lost for good: taken away, or its session expired. Not for jeopardy, not for a release. */
@FunctionalInterface
public interface LostListener {
    void lost(LockHold hold, String reason);
}
