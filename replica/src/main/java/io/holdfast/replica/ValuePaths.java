package io.holdfast.replica;

import io.holdfast.cell.Command;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import java.util.ArrayList;
import java.util.List;

/** At which paths a command may change what a cacheable read shows: the persistent value, or that there is none (R6.1). */
final class ValuePaths {
    private ValuePaths() {}

    /** Empty for everything about locks, sessions and ephemeral nodes: those never wait for a cache. */
    static List<NodePath> writtenBy(Command command) {
        if (command instanceof Command.Request request) {
            return writtenBy(request.operation());
        }
        return command instanceof Command.OneShot oneShot ? writtenBy(oneShot.operation()) : List.of();
    }

    static List<NodePath> writtenBy(Operation operation) {
        if (operation instanceof Operation.Put put) {
            return List.of(put.path()); // parents that it makes are containers, and show no value (R6.1)
        } else if (operation instanceof Operation.Delete delete) {
            return List.of(delete.path());
        } else if (operation instanceof Operation.Batch batch) {
            List<NodePath> paths = new ArrayList<>();
            for (Operation.BatchItem item : batch.items()) {
                if (!(item instanceof Operation.Check)) {
                    paths.add(item.path());
                }
            }
            return paths;
        }
        return List.of();
    }

    /** Whether a write of values may be refused because of what is there. */
    static boolean isConditional(Operation operation) {
        if (operation instanceof Operation.Put put) {
            return put.expectedVersion() != Operation.ANY_VERSION;
        }
        return operation instanceof Operation.Delete
                || (operation instanceof Operation.Batch batch
                        && batch.items().stream()
                                .anyMatch(item -> item instanceof Operation.Delete
                                        || item.expectedVersion() != Operation.ANY_VERSION));
    }
}
