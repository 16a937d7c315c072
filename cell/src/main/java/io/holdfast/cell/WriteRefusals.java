package io.holdfast.cell;

import io.holdfast.cell.node.Node;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Foresees that a write of values would be refused, by the same checks that applying it makes (R6.3: a compare-and-set that fails
 * anyway waits for nobody).
 *
 * <p><b>Thread:</b> the one that applies. Changes nothing.
 */
final class WriteRefusals {
    private final CellState state;
    private final NodeOperations nodes;

    WriteRefusals(CellState state, NodeOperations nodes) {
        this.state = state;
        this.nodes = nodes;
    }

    /** What would come of it; null if it would be done, or is no write of values. */
    @Nullable
    Outcome of(Operation write) {
        if (write instanceof Operation.Put put) {
            return nodes.refusal(put, present(put));
        } else if (write instanceof Operation.Delete delete) {
            return nodes.refusal(delete, present(delete));
        }
        return write instanceof Operation.Batch batch ? of(batch) : null;
    }

    /**
     * Only versions are looked at: whether there is a value at a path, and its version, is nothing that another item of the batch
     * changes. Whether a node has children is.
     */
    private @Nullable Outcome of(Operation.Batch batch) {
        int number = 0;
        for (Operation.BatchItem item : batch.items()) {
            Outcome.Failed failure;
            if (item instanceof Operation.Put put) {
                failure = nodes.wrongVersion(put.path(), put.expectedVersion(), present(put));
            } else if (item instanceof Operation.Delete delete) {
                failure = nodes.wrongVersionToDelete(delete, present(delete));
            } else {
                failure = nodes.wrongVersion(item.path(), item.expectedVersion(), present(item));
            }
            if (failure != null) {
                return new Outcome.BatchRefused(number, failure.code(), failure.message());
            }
            number++;
        }
        return null;
    }

    private @Nullable Node present(Operation.BatchItem item) {
        return state.tree().find(item.path());
    }
}
