package io.holdfast.chaos.frozen;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The reads of a round that were sent to the old leader, and what came of them.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Invariants:</b> a read counts once, by its first answer; one that was given up as interrupted is still judged when an
 * answer comes after all.
 */
final class ReadLedger {
    private final NewestValue newest;
    private final Map<Long, Asked> open = new HashMap<>();
    private final Map<Phase, Counts> counts = new EnumMap<>(Phase.class);
    private long lastId;
    private Phase phase = Phase.BEFORE;

    private record Asked(Phase phase, long bound) {}

    private static final class Counts {
        long sent;
        long answered;
        long answeredLate;
        long refused;
        long stale;
        String staleExample = "";
    }

    /**
     * Reads that were sent in one phase.
     *
     * @param answeredLate answered after the leader was stopped; the rest of {@code answered} was before
     * @param unanswered neither answered nor refused
     * @param stale answered with a version lower than one that was known when they were sent
     */
    record Tally(long sent, long answered, long answeredLate, long refused, long unanswered, long stale) {
        static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0);

        Tally plus(Tally other) {
            return new Tally(
                    sent + other.sent,
                    answered + other.answered,
                    answeredLate + other.answeredLate,
                    refused + other.refused,
                    unanswered + other.unanswered,
                    stale + other.stale);
        }

        static Tally sum(Collection<Tally> tallies) {
            return tallies.stream().reduce(NONE, Tally::plus);
        }
    }

    ReadLedger(NewestValue newest) {
        this.newest = newest;
        for (Phase each : Phase.values()) {
            counts.put(each, new Counts());
        }
    }

    synchronized void enter(Phase next) {
        phase = next;
    }

    private Counts countsOf(Phase which) {
        return counts.computeIfAbsent(which, unseen -> new Counts());
    }

    /** To be called before the read is sent; returns its id. */
    synchronized long ask() {
        open.put(++lastId, new Asked(phase, newest.bound()));
        countsOf(phase).sent++;
        return lastId;
    }

    synchronized void answered(long id, long version) {
        Asked asked = open.remove(id);
        if (asked == null) {
            return;
        }
        Counts count = countsOf(asked.phase());
        count.answered++;
        if (phase != Phase.BEFORE) {
            count.answeredLate++;
        }
        if (version < asked.bound()) {
            count.stale++;
            count.staleExample = "version " + version + " was answered where " + asked.bound() + " was known before";
        }
        newest.seen(version);
    }

    synchronized void refused(long id) {
        Asked asked = open.remove(id);
        if (asked != null) {
            countsOf(asked.phase()).refused++;
        }
    }

    /** What became of the reads sent in a phase. */
    synchronized Tally tally(Phase which) {
        Counts count = countsOf(which);
        return new Tally(
                count.sent,
                count.answered,
                count.answeredLate,
                count.refused,
                count.sent - count.answered - count.refused,
                count.stale);
    }

    /** One of the stale answers, in words; empty if there was none. */
    synchronized String staleExample(Phase which) {
        return countsOf(which).staleExample;
    }
}
