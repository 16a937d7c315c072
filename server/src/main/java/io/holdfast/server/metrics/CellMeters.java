package io.holdfast.server.metrics;

import io.holdfast.replica.ReplicaMeter;
import io.holdfast.storage.CellId;

/**
 * Sends what the loop measures to the metrics of the cell that it is about.
 *
 * <p><b>Thread:</b> the loop calls.
 */
public record CellMeters(CellId first, ReplicaMeter main, ReplicaMeter shards) implements ReplicaMeter {
    private ReplicaMeter of(CellId cell) {
        return cell.equals(first) ? main : shards;
    }

    @Override
    public void committed(CellId cell, int commands, long nanos) {
        of(cell).committed(cell, commands, nanos);
    }

    @Override
    public void refused(CellId cell, int commands) {
        of(cell).refused(cell, commands);
    }

    @Override
    public void leftUnknown(CellId cell, int commands) {
        of(cell).leftUnknown(cell, commands);
    }

    @Override
    public void applyBegins(CellId cell) {
        of(cell).applyBegins(cell);
    }

    @Override
    public void applyEnded(CellId cell) {
        of(cell).applyEnded(cell);
    }

    @Override
    public void keepAliveBatch(CellId cell, int sessions) {
        of(cell).keepAliveBatch(cell, sessions);
    }

    @Override
    public void keepAliveConfirmed(CellId cell) {
        of(cell).keepAliveConfirmed(cell);
    }

    @Override
    public void leaseRanOut(CellId cell) {
        of(cell).leaseRanOut(cell);
    }

    @Override
    public void sessionEndedByOperator(CellId cell) {
        of(cell).sessionEndedByOperator(cell);
    }

    @Override
    public void lockAcquired(CellId cell, long nanos) {
        of(cell).lockAcquired(cell, nanos);
    }

    @Override
    public void grantTold(CellId cell) {
        of(cell).grantTold(cell);
    }

    @Override
    public void watchesFired(CellId cell, int watches) {
        of(cell).watchesFired(cell, watches);
    }

    @Override
    public void readAnswered(CellId cell) {
        of(cell).readAnswered(cell);
    }

    @Override
    public void snapshotWritten(CellId cell, long nanos) {
        of(cell).snapshotWritten(cell, nanos);
    }
}
