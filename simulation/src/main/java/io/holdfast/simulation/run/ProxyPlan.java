package io.holdfast.simulation.run;

import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.World;

/**
 * Which proxies a world has; drawn apart from {@link RunConfig}, so that the worlds without proxies are what they were before there
 * were any.
 *
 * @param count of proxies; clients come by them if there are any
 * @param alsoReplicas whether clients come by the replicas too
 * @param faultEveryNanos mean time between faults of proxies
 */
public record ProxyPlan(int count, boolean alsoReplicas, long faultEveryNanos) {
    /** Of so many seeds one has proxies. */
    private static final int EVERY = 5;

    private static final int WHICH = 3;

    public static ProxyPlan none() {
        return new ProxyPlan(0, false, 0);
    }

    /**
     * Draws one for a seed.
     *
     * @param count of proxies; negative to draw that too
     */
    static ProxyPlan draw(long seed, int count) {
        Rng rng = new Rng(Rng.mix(seed ^ 0x9E0C1E5L));
        int drawn = Math.floorMod(seed, EVERY) == WHICH ? (int) rng.between(1, 3) : 0;
        return new ProxyPlan(
                count >= 0 ? count : drawn,
                rng.chance(0.3),
                rng.pick(2 * World.SECOND, 5 * World.SECOND, 15 * World.SECOND));
    }
}
