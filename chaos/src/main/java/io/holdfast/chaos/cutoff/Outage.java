package io.holdfast.chaos.cutoff;

import java.time.Duration;

/**
 * For how long a client heard nothing of its cell.
 *
 * @param cellStops whether all replicas were stopped, so that the cell's clocks stood still too; else only the client was cut off
 * @param beginNanos monotonic, of this machine
 */
record Outage(boolean cellStops, Duration length, long beginNanos, long endNanos) {
    @Override
    public String toString() {
        return (cellStops ? "all replicas stopped for " : "cut off for ") + length.toMillis() / 1_000.0 + " s";
    }
}
