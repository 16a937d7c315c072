package io.holdfast.client;

/** Told once if the hold of a leased lock is lost for good: its lease ended, or the cell does not know it. Not for a release. */
@FunctionalInterface
public interface LeaseLostListener {
    void lost(LeaseHold hold, String reason);
}
