package io.holdfast.cell;

import static io.holdfast.cell.Refusals.described;
import static io.holdfast.cell.Refusals.shown;

import io.holdfast.cell.node.Node;
import io.holdfast.cell.node.Stamp;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Batches of writes: all items in order, at one revision, or nothing (ADR 0009).
 *
 * <p><b>Invariants:</b> 1. Items change persistent nodes and the containers above them only, so that going back is going
 * back to an earlier tree. 2. A refused batch leaves no trace and no event (R5.4).
 */
final class BatchOperations {
    private final CellState state;
    private final NodeOperations nodes;

    BatchOperations(CellState state, NodeOperations nodes) {
        this.state = state;
        this.nodes = nodes;
    }

    /** What is wrong with a batch whatever the state is; null if nothing. */
    static Outcome.@Nullable BatchRefused objectionTo(Operation.Batch batch) {
        int count = batch.items().size();
        if (count == 0) {
            return new Outcome.BatchRefused(-1, ErrorCode.INVALID, "a batch has at least one item");
        }
        if (count > Limits.MAX_BATCH_ITEMS) {
            return new Outcome.BatchRefused(
                    -1, ErrorCode.TOO_LARGE, count + " items are over the limit of " + Limits.MAX_BATCH_ITEMS);
        }
        TreeSet<NodePath> paths = new TreeSet<>();
        for (Operation.BatchItem item : batch.items()) {
            if (!paths.add(item.path())) {
                return new Outcome.BatchRefused(
                        paths.size(), ErrorCode.INVALID, shown(item.path()) + " is in the batch twice");
            }
        }
        long bytes = batch.contentBytes();
        return bytes <= Limits.MAX_BATCH_CONTENT_BYTES
                ? null
                : new Outcome.BatchRefused(
                        -1,
                        ErrorCode.TOO_LARGE,
                        "values and paths have " + bytes + " bytes, the limit is " + Limits.MAX_BATCH_CONTENT_BYTES);
    }

    Outcome apply(Operation.Batch batch) {
        Outcome.BatchRefused objection = objectionTo(batch);
        if (objection != null) {
            return objection;
        }
        CellState.Mark before = state.mark();
        OneStamp stamp = new OneStamp();
        List<Long> versions = new ArrayList<>(batch.items().size());
        for (Operation.BatchItem item : batch.items()) {
            Outcome.Failed failure = apply(item, stamp, versions);
            if (failure != null) {
                int number = versions.size();
                state.rollBackTo(before); // all or nothing
                return new Outcome.BatchRefused(number, failure.code(), failure.message());
            }
        }
        return new Outcome.Batched(state.revision(), versions);
    }

    /** Applies one item and notes its version, or says why not. */
    private Outcome.@Nullable Failed apply(Operation.BatchItem item, OneStamp stamp, List<Long> versions) {
        Node present = state.tree().find(item.path());
        if (item instanceof Operation.Put put) {
            Outcome outcome = nodes.put(put, stamp::get);
            if (outcome instanceof Outcome.Written written) {
                versions.add(written.version());
            }
            return outcome instanceof Outcome.Failed failed ? failed : null;
        }
        if (item instanceof Operation.Delete delete) {
            return delete(delete, present, stamp, versions);
        }
        return check(item, present, versions);
    }

    private Outcome.@Nullable Failed delete(
            Operation.Delete delete, @Nullable Node present, OneStamp stamp, List<Long> versions) {
        if (present != null && present.is(NodeKind.EPHEMERAL)) {
            return Refusals.refused(ErrorCode.WRONG_KIND, described(present, false) + " and cannot be part of a batch");
        }
        Outcome outcome = nodes.delete(delete, stamp::get);
        if (outcome instanceof Outcome.Failed failed) {
            return failed;
        }
        versions.add(present == null ? 0 : present.version());
        return null;
    }

    private Outcome.@Nullable Failed check(Operation.BatchItem check, @Nullable Node present, List<Long> versions) {
        Outcome.Failed failure = check.expectedVersion() < Operation.MUST_NOT_EXIST
                ? Refusals.refused(
                        ErrorCode.INVALID, "expectedVersion " + check.expectedVersion() + " is no version to check for")
                : nodes.wrongVersion(check.path(), check.expectedVersion(), present);
        if (failure == null) {
            versions.add(check.expectedVersion());
        }
        return failure;
    }

    /** The revision that all items share; the cell's counter rises with the first that changes something. */
    private final class OneStamp {
        private @Nullable Stamp stamp;

        Stamp get() {
            Stamp present = stamp;
            if (present == null) {
                present = state.mutate();
                stamp = present;
            }
            return present;
        }
    }
}
