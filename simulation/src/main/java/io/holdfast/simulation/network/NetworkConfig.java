package io.holdfast.simulation.network;

import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.World;

/**
 * How bad the network of one run is.
 *
 * @param latencyNanos usual one-way time
 * @param dropChance of a frame between replicas
 * @param repeatChance of a frame between replicas
 * @param delayChance of a frame between replicas to be late by up to {@code longDelayNanos}
 * @param reorder whether frames between replicas may overtake each other
 */
public record NetworkConfig(
        long latencyNanos,
        double dropChance,
        double repeatChance,
        double delayChance,
        long longDelayNanos,
        boolean reorder) {

    /** A network without faults. */
    public static NetworkConfig healthy() {
        return new NetworkConfig(World.MILLI / 2, 0, 0, 0, 0, false);
    }

    /** Draws one: some runs have a clean network, some an awful one. */
    public static NetworkConfig draw(Rng rng) {
        long latency = rng.pick(World.MILLI / 4, World.MILLI, 5 * World.MILLI);
        boolean lossy = rng.chance(0.6);
        return new NetworkConfig(
                latency,
                lossy ? rng.pick(0.001, 0.01, 0.08) : 0,
                lossy ? rng.pick(0.001, 0.02) : 0,
                lossy ? rng.pick(0.001, 0.02) : 0,
                rng.pick(100 * World.MILLI, 900 * World.MILLI, 3 * World.SECOND),
                rng.chance(0.5));
    }
}
