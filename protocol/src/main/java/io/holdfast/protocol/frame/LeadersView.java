package io.holdfast.protocol.frame;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who leads, as one replica knows it. A hint: whoever is named says by itself, on a link, whether it leads.
 *
 * @param deployment identity of the deployment, as in {@link ServerFrame.Hello}
 * @param replica who says so
 * @param cells of its process, at least one; the first is the one that front ends speak to if they name none, then its shards in
 *     order, all of them
 */
public record LeadersView(String deployment, String replica, List<CellLeader> cells) {
    public LeadersView {
        cells = List.copyOf(cells);
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("a view of no cell");
        }
    }

    /**
     * One cell.
     *
     * @param leader name of the replica that leads in {@code term}; null if none is known
     */
    public record CellLeader(
            String cell, long term, @Nullable String leader) {}

    /** How many shards its deployment has. */
    public int shards() {
        return cells.size() - 1;
    }

    /** The cell that front ends speak to if they name none. */
    public CellLeader first() {
        return cells.get(0);
    }
}
