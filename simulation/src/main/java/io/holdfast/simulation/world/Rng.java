package io.holdfast.simulation.world;

/**
 * The random numbers of one run (SplitMix64).
 *
 * <p><b>Thread:</b> one.
 *
 * <p><b>Source:</b> Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (OOPSLA 2014).
 */
public final class Rng {
    private long state;

    public Rng(long seed) {
        this.state = seed;
    }

    /** All 64 bits. */
    public long nextLong() {
        state += 0x9E3779B97F4A7C15L;
        return mix(state);
    }

    /** Spreads every bit of {@code value} over the result. */
    public static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A generator that is independent of this one from here on. */
    public Rng split() {
        return new Rng(nextLong());
    }

    /** A number in {@code [0, boundExclusive)}; the bias of the remainder does not matter here. */
    public long below(long boundExclusive) {
        if (boundExclusive <= 0) {
            throw new IllegalArgumentException("bound " + boundExclusive + " is not positive");
        }
        return (nextLong() >>> 1) % boundExclusive;
    }

    public int below(int boundExclusive) {
        return (int) below((long) boundExclusive);
    }

    /** A number in {@code [from, to]}. */
    public long between(long fromInclusive, long toInclusive) {
        return fromInclusive + below(toInclusive - fromInclusive + 1);
    }

    /** A number in {@code [0, 1)}. */
    public double unit() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** True with the given probability. */
    public boolean chance(double probability) {
        return unit() < probability;
    }

    /** A waiting time with the given mean: often short, now and then long. */
    public long exponential(long mean) {
        return (long) (-Math.log(1 - unit()) * mean);
    }

    /** One of the values. */
    @SafeVarargs
    public final <T> T pick(T... values) {
        return values[below(values.length)];
    }
}
