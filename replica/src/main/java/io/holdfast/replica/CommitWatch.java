package io.holdfast.replica;

/**
 * Notices that a leader which a majority still answers commits nothing, as when the disks of a majority are full or hang
 * (C70): who would only wait for that is then refused as "definitely not done" instead of being done minutes later.
 *
 * <p>The lead goes on: KeepAlives and reads need no disk, and no other replica could do better.
 *
 * <p><b>Thread:</b> the loop. Made anew for each lead.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>It stalls only while something of this lead is in the log and not committed, so that what is committed next ends it.
 *   <li>A time in which the whole process did nothing does not count (R1.3).
 * </ol>
 */
final class CommitWatch {
    /** For callers: it is not done, and asking again is right. */
    static final String WHY = "nothing is being committed: the disks of a majority are full, hang or are overloaded";

    private final CellDriver driver;
    private final LoopShared shared;
    /**
     * An election timeout, and a little: a leader whose own disk hangs has given up its lead by then, and that is another
     * message.
     */
    private final long patienceNanos;

    /** The last commit, or when what is out was proposed after a time in which nothing was. */
    private long sinceNanos;

    private boolean stalled;

    CommitWatch(CellDriver driver, LoopShared shared) {
        this.driver = driver;
        this.shared = shared;
        this.patienceNanos = driver.raft().electionMaxNanos() + driver.raft().heartbeatNanos();
        this.sinceNanos = shared.now();
    }

    boolean isStalled() {
        return stalled;
    }

    /**
     * Looks at the clock; heartbeats turn the loop often enough. Call it before anything is proposed in a turn.
     *
     * @param out whether something is in the log and not committed
     * @return true if it has just been found that nothing is being committed
     */
    boolean look(boolean out) {
        if (!out) {
            progressed();
        } else if (!stalled && shared.now() - sinceNanos >= patienceNanos) {
            stalled = true;
            say("nothing has been committed for " + CellDriver.seconds(patienceNanos)
                    + " although a majority answers: changes are refused until that ends, sessions are kept alive; see"
                    + " whether the disks of a majority are full, hang or are overloaded");
            shared.seams().listener().commitsStalled(driver.id(), true);
            return true;
        }
        return false;
    }

    /** Something was committed. */
    void progressed() {
        if (stalled) {
            stalled = false;
            say("changes are committed again and accepted, after " + CellDriver.seconds(shared.now() - sinceNanos));
            shared.seams().listener().commitsStalled(driver.id(), false);
        }
        sinceNanos = shared.now();
    }

    void paused(long gapNanos) {
        sinceNanos = Math.min(shared.now(), sinceNanos + gapNanos);
    }

    private void say(String what) {
        shared.seams().listener().notice("cell " + driver.id() + ": " + what);
    }
}
