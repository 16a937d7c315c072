package io.holdfast.replica.grpc;

/**
 * Whether what is sent over a link still arrives. After a cut TCP repeats what it holds ever more seldom, so that a connection
 * may stay dead for many seconds after the network is whole again, where a new one works at once.
 *
 * <p>A peer answers the first message of a stream at once, and later ones if its last answer was {@link #ANSWER_MILLIS} ago or
 * more ({@link PeerInbound}). The sender counts ticks of a fixed length that is longer than that: time in which this process
 * stood still is one tick, however long it was (R1.3).
 *
 * <p><b>Thread:</b> one at a time, but {@link #heard} may be called by any.
 *
 * <p><b>Invariant:</b> a link is given up only if something was sent that a living peer would have answered, and nothing was
 * heard for {@link #SILENT_TICKS} ticks since.
 *
 * <p><b>Source:</b> ADR 0004.
 */
final class LinkWatch {
    /** A peer answers no more often than this. */
    static final long ANSWER_MILLIS = 300;

    /** Ticks without a word after which a link is given up, counting the one in which something was sent. */
    static final int SILENT_TICKS = 3;

    private volatile boolean heard;
    private boolean heardBefore;
    private boolean sent;
    private int silentTicks;

    /** How long a tick is so that a silent link is given up after about this time. */
    static long tickMillis(long silenceMillis) {
        return Math.max(ANSWER_MILLIS + ANSWER_MILLIS / 2, silenceMillis / (SILENT_TICKS + 1));
    }

    void sent() {
        sent = true;
    }

    void heard() {
        heard = true;
    }

    /** A tick is over; true if the link is dead. */
    boolean tick() {
        boolean heardNow = heard;
        heard = false;
        if (heardNow) {
            silentTicks = 0;
        } else if (silentTicks > 0 || (sent && !heardBefore)) { // right after an answer the next one may be left out
            silentTicks++;
        }
        heardBefore = heardNow;
        sent = false;
        return silentTicks >= SILENT_TICKS;
    }
}
