package io.holdfast.simulation.disk;

import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.World;

/**
 * How fast the disks of one run are.
 *
 * @param syncNanos usual time of an fsync
 * @param slowChance of an fsync to take {@code slowNanos} more
 * @param workerNanos usual time of a piece of work off the loop, such as reading or writing a piece of a snapshot
 */
public record DiskConfig(long syncNanos, double slowChance, long slowNanos, long workerNanos) {
    public static DiskConfig healthy() {
        return new DiskConfig(World.MILLI, 0, 0, World.MILLI);
    }

    public static DiskConfig draw(Rng rng) {
        return new DiskConfig(
                rng.pick(World.MILLI / 5, World.MILLI, 10 * World.MILLI),
                rng.pick(0.0, 0.001, 0.02),
                rng.pick(100 * World.MILLI, 600 * World.MILLI, 3 * World.SECOND),
                rng.pick(World.MILLI, 20 * World.MILLI));
    }
}
