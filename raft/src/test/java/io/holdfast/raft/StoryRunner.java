package io.holdfast.raft;

/** Runs stories of many seeds; {@code main} takes the first seed and the number of seeds. */
final class StoryRunner {
    private StoryRunner() {}

    /** Runs one seed; a failure names it. */
    static RaftWorld run(long seed) {
        int[] sizes = {3, 5, 3, 1};
        WorldStory story = new WorldStory(seed, sizes[(int) Math.floorMod(seed, sizes.length)]);
        try {
            story.run(20);
        } catch (AssertionError | RuntimeException | InvariantViolation e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
        return story.world();
    }

    public static void main(String[] args) {
        long first = Long.parseLong(args[0]);
        long count = Long.parseLong(args[1]);
        WorldCounters total = new WorldCounters();
        int failures = 0;
        for (long seed = first; seed < first + count; seed++) {
            try {
                total.addAll(run(seed).counters());
            } catch (AssertionError e) {
                System.out.println(e.getMessage());
                if (++failures <= 2) {
                    e.getCause().printStackTrace(System.out);
                }
                if (failures >= 10) {
                    break;
                }
            }
        }
        System.out.println(count + " seeds from " + first + ", failures " + failures + ": " + total);
    }
}
