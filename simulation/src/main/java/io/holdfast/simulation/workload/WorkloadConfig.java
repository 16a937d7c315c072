package io.holdfast.simulation.workload;

import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.World;

/**
 * How an application behaves.
 *
 * @param lanes operations that it has going at the same time
 * @param lockShare of the operations that take a lock; the rest read and write values
 * @param recipeShare of the places that are taken in a semaphore, an election or a group rather than a lock
 * @param sharedShare of the locks that are taken shared
 * @param holdNanos mean time that a lock is held
 * @param thinkNanos mean pause between operations
 * @param lockDelayMillis asked for by some acquires, 0 for none
 * @param keepChance that a hold is not released but left to the session's end
 * @param hotReadNanos mean pause between reads of what is read all the time, as flags are; 0 without
 * @param closeChance that an operation is the closing of the session
 */
public record WorkloadConfig(
        int locks,
        int keys,
        int lanes,
        double lockShare,
        double recipeShare,
        double sharedShare,
        long holdNanos,
        long thinkNanos,
        long lockDelayMillis,
        double keepChance,
        double closeChance,
        long hotReadNanos) {

    public static WorkloadConfig draw(Rng rng, int locks, int keys, long thinkNanos) {
        return new WorkloadConfig(
                locks,
                keys,
                (int) rng.between(1, 3),
                rng.pick(0.3, 0.7, 0.9),
                rng.pick(0.0, 0.3, 0.7),
                rng.pick(0.0, 0.3, 0.7),
                rng.pick(20 * World.MILLI, 500 * World.MILLI, 5 * World.SECOND),
                thinkNanos,
                rng.pick(0L, 0L, 1_000L, 8_000L),
                rng.pick(0.0, 0.0, 0.02),
                rng.pick(0.0, 0.01, 0.03),
                0);
    }

    /** The same with values that are read all the time. */
    public WorkloadConfig withHotReads(Rng rng) {
        return new WorkloadConfig(
                locks,
                keys,
                lanes,
                lockShare,
                recipeShare,
                sharedShare,
                holdNanos,
                thinkNanos,
                lockDelayMillis,
                keepChance,
                closeChance,
                rng.pick(20 * World.MILLI, 100 * World.MILLI));
    }
}
