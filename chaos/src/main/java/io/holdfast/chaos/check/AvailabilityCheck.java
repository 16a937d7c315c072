package io.holdfast.chaos.check;

import io.holdfast.chaos.fault.FaultKind;
import io.holdfast.chaos.fault.Round;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * While faults run that leave a majority able to work, the cell is never silent for longer than a fail-over may take (N6),
 * also not after they were taken back: what heals must not disturb.
 *
 * <p>A silence is a time in which no write was answered that had been called since the last fault began: what was called
 * before it shows nothing.
 */
public final class AvailabilityCheck {
    /** What N6 promises. */
    private static final long FAIL_OVER_MILLIS = 3_000;
    /** For two slow cores that a dozen JVMs share, some of which are just starting; and for clients that have to notice. */
    private static final long BUSY_MACHINE_MILLIS = 5_000;
    /**
     * On slow disks: a write waits for the sync that runs, then for its own, on the leader and on a follower; twice that,
     * as the writes before it wait too.
     */
    private static final long SYNCS_OF_A_WRITE = 8;

    private final List<Round> rounds;
    private final NavigableMap<Long, Long> served;
    private final NavigableSet<Long> leads;
    private final int replicas;

    /**
     * What was seen of one kind of fault, in all rounds that it took part in.
     *
     * @param judged rounds in which the cell had to serve
     * @param judgedSilenceMillis the longest silence in those
     * @param otherSilenceMillis the longest in the others
     * @param leaderChanges that were seen
     */
    public record OfKind(int judged, long judgedSilenceMillis, long otherSilenceMillis, int leaderChanges) {
        public static final OfKind NOTHING = new OfKind(0, 0, 0, 0);

        private OfKind with(boolean must, long silenceMillis, int changes) {
            return new OfKind(
                    judged + (must ? 1 : 0),
                    must ? Math.max(judgedSilenceMillis, silenceMillis) : judgedSilenceMillis,
                    must ? otherSilenceMillis : Math.max(otherSilenceMillis, silenceMillis),
                    leaderChanges + changes);
        }
    }

    /**
     * What came of it.
     *
     * @param spared rounds whose faults left a majority
     * @param judged those of them in which the cell had to serve, as no other replica was absent
     */
    public record Result(List<Finding> findings, Map<FaultKind, OfKind> byKind, int spared, int judged) {}

    private AvailabilityCheck(
            List<Round> rounds, NavigableMap<Long, Long> served, NavigableSet<Long> leads, int replicas) {
        this.rounds = rounds;
        this.served = served;
        this.leads = leads;
        this.replicas = replicas;
    }

    /**
     * Checks all rounds.
     *
     * @param served writes that succeeded: when each was answered, and when it had been called
     * @param leads when each new leader was first seen
     * @param replicas how many there are
     */
    public static Result check(
            List<Round> rounds, NavigableMap<Long, Long> served, NavigableSet<Long> leads, int replicas) {
        return new AvailabilityCheck(rounds, served, leads, replicas).result();
    }

    private Result result() {
        List<Finding> findings = new ArrayList<>();
        Map<FaultKind, OfKind> byKind = new EnumMap<>(FaultKind.class);
        int judged = 0;
        for (Round round : rounds) {
            boolean must = round.mustServe(replicas);
            long silence = silenceMillis(round);
            int changes =
                    leads.subSet(round.beginNanos().get(0), round.servedNanos()).size();
            for (FaultKind kind : round.kinds()) {
                byKind.merge(
                        kind,
                        OfKind.NOTHING.with(must, silence, changes),
                        (sum, one) -> sum.with(must, silence, changes));
            }
            judged += must ? 1 : 0;
            if (must && silence > boundMillis(round)) {
                findings.add(new Finding("N6", words(round, silence)));
            }
        }
        int spared = (int)
                rounds.stream().filter(round -> round.sparesMajority(replicas)).count();
        return new Result(findings, byKind, spared, judged);
    }

    /** How long the cell may be silent in a round in which it has to serve. */
    static long boundMillis(Round round) {
        return FAIL_OVER_MILLIS + BUSY_MACHINE_MILLIS + SYNCS_OF_A_WRITE * round.syncDelayMillis();
    }

    private static String words(Round round, long silenceMillis) {
        return "around " + round.kinds().stream().map(FaultKind::label).collect(Collectors.joining(" and "))
                + " a majority could work, but no write was answered for " + silenceMillis + " ms, and "
                + boundMillis(round) + " ms are allowed (without " + round.impaired() + ", begun at "
                + round.beginNanos() + ")";
    }

    /** Counted anew from the begin of each fault. */
    private long silenceMillis(Round round) {
        long longest = 0;
        List<Long> begins = round.beginNanos();
        for (int i = 0; i < begins.size(); i++) {
            long end = i + 1 < begins.size() ? begins.get(i + 1) : round.servedNanos();
            longest = Math.max(longest, silenceNanos(begins.get(i), end));
        }
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }

    private long silenceNanos(long begin, long end) {
        long last = begin;
        long longest = 0;
        for (Map.Entry<Long, Long> write : served.subMap(begin, true, end, true).entrySet()) {
            long called = write.getValue();
            if (called >= begin) {
                long answered = write.getKey();
                longest = Math.max(longest, answered - last);
                last = answered;
            }
        }
        return Math.max(longest, end - last);
    }
}
