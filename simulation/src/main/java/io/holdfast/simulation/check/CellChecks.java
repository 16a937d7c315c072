package io.holdfast.simulation.check;

import io.holdfast.model.LeaseName;
import io.holdfast.model.Shards;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The checks of each cell of a run: what is promised of a log and a state is promised of each. */
public final class CellChecks {
    private final Checks first;
    private final Map<CellId, Checks> all = new TreeMap<>();
    private final Map<CellId, Checks> shards = new TreeMap<>();

    /** @param cell the first one */
    public CellChecks(World world, CellId cell, int voters, int shardCount) {
        this.first = new Checks(world, voters);
        all.put(cell, first);
        for (String name : new Shards(shardCount).cellNames()) {
            shards.put(new CellId(name), new Checks(world, voters));
        }
        all.putAll(shards);
    }

    /** Of the cell that clients have their sessions in. */
    public Checks first() {
        return first;
    }

    public Checks of(CellId cell) {
        return Objects.requireNonNull(all.get(cell));
    }

    /** Of the cell that a leased lock's name belongs to (R7.4). */
    public Checks of(LeaseName name) {
        return shards.isEmpty() ? first : of(new CellId(new Shards(shards.size()).cellOf(name.value())));
    }

    public Collection<Checks> all() {
        return all.values();
    }

    /** Those of the shards, by cell. */
    public Map<CellId, Checks> shards() {
        return shards;
    }
}
