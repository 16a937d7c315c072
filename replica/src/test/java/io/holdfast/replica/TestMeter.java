package io.holdfast.replica;

import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.List;

/** Counts what a loop measures. */
final class TestMeter implements ReplicaMeter {
    int committedBatches;
    int committedCommands;
    int refused;
    int leftUnknown;
    int applied;
    boolean applying;
    int keepAlives;
    int keepAliveBatches;
    int leasesRunOut;
    int endedByOperators;
    int grantsTold;
    int watchesFired;
    int readsAnswered;
    int invalidated;
    final List<Long> acquireNanos = new ArrayList<>();
    final List<Long> snapshotNanos = new ArrayList<>();

    @Override
    public void committed(CellId cell, int commands, long nanos) {
        committedBatches++;
        committedCommands += commands;
    }

    @Override
    public void refused(CellId cell, int commands) {
        refused += commands;
    }

    @Override
    public void leftUnknown(CellId cell, int commands) {
        leftUnknown += commands;
    }

    @Override
    public void invalidated(CellId cell, int paths) {
        invalidated += paths;
    }

    @Override
    public void applyBegins(CellId cell) {
        applying = true;
    }

    @Override
    public void applyEnded(CellId cell) {
        applied += applying ? 1 : 0;
        applying = false;
    }

    @Override
    public void keepAliveBatch(CellId cell, int sessions) {
        keepAliveBatches++;
    }

    @Override
    public void keepAliveConfirmed(CellId cell) {
        keepAlives++;
    }

    @Override
    public void leaseRanOut(CellId cell) {
        leasesRunOut++;
    }

    @Override
    public void sessionEndedByOperator(CellId cell) {
        endedByOperators++;
    }

    @Override
    public void lockAcquired(CellId cell, long nanos) {
        acquireNanos.add(nanos);
    }

    @Override
    public void grantTold(CellId cell) {
        grantsTold++;
    }

    @Override
    public void watchesFired(CellId cell, int watches) {
        watchesFired += watches;
    }

    @Override
    public void readAnswered(CellId cell) {
        readsAnswered++;
    }

    @Override
    public void snapshotWritten(CellId cell, long nanos) {
        snapshotNanos.add(nanos);
    }
}
