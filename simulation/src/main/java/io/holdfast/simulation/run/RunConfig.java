package io.holdfast.simulation.run;

import io.holdfast.simulation.network.NetworkConfig;
import io.holdfast.simulation.process.ReplicaConfig;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;

/**
 * What one seed draws before its world begins.
 *
 * @param rho how much any two clocks' rates may differ
 * @param chaosNanos how long faults are injected
 * @param faultEveryNanos mean time between faults
 * @param faults which kinds of faults this run has, as bits of {@link Fault}'s ordinals
 * @param thinkNanos mean pause of a client between operations
 * @param cacheBytes what each client may cache; 0 for clients without a cache
 * @param endEveryNanos mean time between an operator's ends of places and sessions; 0 without one
 * @param leaseClients clients with leased locks
 */
public record RunConfig(
        int replicas,
        int clients,
        int locks,
        int keys,
        long leaseMillis,
        long graceMillis,
        double rho,
        long chaosNanos,
        long faultEveryNanos,
        long faults,
        long thinkNanos,
        ReplicaConfig replica,
        NetworkConfig network,
        long endEveryNanos,
        int leaseClients,
        long cacheBytes) {

    /** Enough for one or two values, so that others have to go. */
    private static final long FEW_CACHE_BYTES = 600;

    private static final long MANY_CACHE_BYTES = 1 << 20;

    /**
     * Draws one.
     *
     * @param replicas 3 or 5, or 0 to draw that too
     * @param minutes of virtual time under faults, or 0 to draw that too
     */
    public static RunConfig draw(Rng rng, int replicas, double minutes) {
        int count = replicas > 0 ? replicas : rng.pick(3, 3, 5);
        long chaos =
                minutes > 0 ? (long) (minutes * 60 * World.SECOND) : rng.between(60 * World.SECOND, 200 * World.SECOND);
        long faults = 0;
        for (Fault fault : Fault.values()) {
            // a run with a few kinds of faults goes deeper than one with all of them
            if (rng.chance(0.4)) {
                faults |= 1L << fault.ordinal();
            }
        }
        return new RunConfig(
                count,
                (int) rng.between(2, 6),
                (int) rng.between(1, 3),
                (int) rng.between(1, 3),
                rng.pick(4_000L, 4_000L, 6_000L, 12_000L),
                rng.pick(2_000L, 15_000L, 45_000L),
                0.01,
                chaos,
                rng.pick(World.SECOND, 3 * World.SECOND, 8 * World.SECOND),
                faults,
                rng.pick(50 * World.MILLI, 300 * World.MILLI, World.SECOND),
                ReplicaConfig.draw(rng, names(count)),
                NetworkConfig.draw(rng),
                rng.pick(0L, 0L, 2 * World.SECOND, 10 * World.SECOND),
                rng.pick(0, 2, 3),
                rng.pick(0L, FEW_CACHE_BYTES, MANY_CACHE_BYTES, MANY_CACHE_BYTES));
    }

    /** A world without faults, for scripted histories. */
    public static RunConfig calm(int replicas, long leaseMillis) {
        return new RunConfig(
                replicas,
                0,
                1,
                1,
                leaseMillis,
                45_000,
                0.01,
                0,
                World.SECOND,
                0,
                World.SECOND,
                ReplicaConfig.healthy(names(replicas)),
                NetworkConfig.healthy(),
                0,
                0,
                0);
    }

    /** The same with so many shards beside the first cell; nothing else changes. */
    public RunConfig withShards(int count) {
        return new RunConfig(
                replicas,
                clients,
                locks,
                keys,
                leaseMillis,
                graceMillis,
                rho,
                chaosNanos,
                faultEveryNanos,
                faults,
                thinkNanos,
                replica.withShards(count),
                network,
                endEveryNanos,
                leaseClients,
                cacheBytes);
    }

    /** The same with clients that cache. */
    public RunConfig caching() {
        return new RunConfig(
                replicas,
                clients,
                locks,
                keys,
                leaseMillis,
                graceMillis,
                rho,
                chaosNanos,
                faultEveryNanos,
                faults,
                thinkNanos,
                replica,
                network,
                endEveryNanos,
                leaseClients,
                MANY_CACHE_BYTES);
    }

    public boolean has(Fault fault) {
        return (faults & (1L << fault.ordinal())) != 0;
    }

    private static List<String> names(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            names.add("r" + i);
        }
        return names;
    }
}
