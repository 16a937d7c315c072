package io.holdfast.server.parts;

import io.holdfast.replica.ReplicaStatus;
import io.holdfast.storage.CellId;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The cells that a replica which is about to end leads yet.
 *
 * <p><b>Thread:</b> any.
 */
final class LeadsToGo {
    private final String replica;
    private final CompletableFuture<Void> allGone = new CompletableFuture<>();
    /** Guarded by this. */
    private final SortedSet<CellId> left = new TreeSet<>();
    /** Guarded by this: found to be led by another since the listening began. */
    private final SortedSet<CellId> gone = new TreeSet<>();

    LeadsToGo(String replica) {
        this.replica = replica;
    }

    /** Takes down what it leads now; empty if nothing. Listen before. */
    synchronized List<CellId> begin(ReplicaStatus status) {
        for (ReplicaStatus.CellView view : status.cells()) {
            if (view.serving() && !gone.contains(view.id())) {
                left.add(view.id());
            }
        }
        return List.copyOf(left);
    }

    synchronized void leaderKnown(CellId cell, @Nullable String leader) {
        if (leader == null || leader.equals(replica)) {
            return;
        }
        gone.add(cell);
        if (left.remove(cell) && left.isEmpty()) {
            allGone.complete(null);
        }
    }

    synchronized List<CellId> left() {
        return List.copyOf(left);
    }

    /** Completes when others lead all that this replica led. */
    CompletableFuture<Void> allGone() {
        return allGone;
    }
}
