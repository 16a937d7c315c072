package io.holdfast.proxy.core;

import org.jspecify.annotations.Nullable;

/**
 * Which replica leads, as far as the front end was told, and the one link to it.
 *
 * <p><b>Invariants:</b> (1) at most one link at a time; (2) a link's number is never used again; (3) the known term never
 * falls; (4) a link belongs to the leader and term for which it was opened.
 */
final class LeaderLink {
    static final long NEVER = Long.MAX_VALUE;

    private enum State {
        NONE,
        OPENING,
        OPEN
    }

    private final FrontEndConfig.Times times;

    private @Nullable String leader;
    private long term = Long.MIN_VALUE;

    private State state = State.NONE;
    private long link;
    /** When a link that is opening is given up. */
    private long openDeadlineNanos = NEVER;
    /** When to dial again. */
    private long reopenAtNanos = NEVER;

    private long reopenDelayNanos;

    LeaderLink(FrontEndConfig.Times times) {
        this.times = times;
        this.reopenDelayNanos = times.minReopenNanos();
    }

    @Nullable
    String leader() {
        return leader;
    }

    /** Takes note of who leads; false if that is old or known. */
    boolean learn(@Nullable String newLeader, long newTerm) {
        boolean known = newTerm == term && (newLeader == null ? leader == null : newLeader.equals(leader));
        if (newTerm < term || known) {
            return false;
        }
        leader = newLeader;
        term = newTerm;
        reopenDelayNanos = times.minReopenNanos();
        reopenAtNanos = NEVER;
        return true;
    }

    /** Forgets who leads, and the term: another cell begins anew. */
    void forget() {
        leader = null;
        term = Long.MIN_VALUE;
        reopenAtNanos = NEVER;
    }

    /** Begins a new link to the known leader and returns its number. */
    long open(long nowNanos) {
        link++;
        state = State.OPENING;
        openDeadlineNanos = nowNanos + times.openTimeoutNanos();
        reopenAtNanos = NEVER;
        return link;
    }

    boolean opened(long which) {
        if (which != link || state != State.OPENING) {
            return false;
        }
        state = State.OPEN;
        openDeadlineNanos = NEVER;
        return true;
    }

    /** The leader answers on it: the next failure is a new one. */
    void proven() {
        reopenDelayNanos = times.minReopenNanos();
    }

    /** Forgets the link. */
    void end() {
        state = State.NONE;
        openDeadlineNanos = NEVER;
    }

    /** Plans to dial the same leader again, if there is one. */
    void reopenLater(long nowNanos) {
        if (leader != null) {
            reopenAtNanos = nowNanos + reopenDelayNanos;
            reopenDelayNanos = Math.min(times.maxReopenNanos(), reopenDelayNanos * 2);
        }
    }

    boolean isPresent(long which) {
        return which == link && state != State.NONE;
    }

    boolean exists() {
        return state != State.NONE;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    long number() {
        return link;
    }

    boolean openTimedOut(long nowNanos) {
        return state == State.OPENING && nowNanos >= openDeadlineNanos;
    }

    boolean reopenDue(long nowNanos) {
        return state == State.NONE && leader != null && nowNanos >= reopenAtNanos;
    }

    long nextDeadlineNanos() {
        return Math.min(openDeadlineNanos, reopenAtNanos);
    }
}
