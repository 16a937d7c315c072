package io.holdfast.proxy.core;

import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.LeadersView.CellLeader;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who leads a cell and its shards, from what their replicas say of it to a process that is none of them.
 *
 * <p>Each replica repeats what it knows every {@link #BEAT_NANOS}. What was not repeated for {@link #SILENCE_NANOS} does not count: its
 * speaker may be frozen. Of the rest the highest term decides. That somebody knows no leader counts only if nobody knows one: a replica
 * that is cut off from the others is in a term of its own, and the leader need not know.
 *
 * <p>All of this is a hint. Whoever is asked on a link says by itself whether it leads (R2.6), and what is sent to one that was
 * deposed is answered by nobody.
 *
 * <p><b>Thread:</b> one at a time. Time is a monotonic clock's, passed in.
 *
 * <p><b>Invariants:</b> (1) the known term never falls while the deployment is the same; (2) silence of all changes nothing: it is no
 * news of the leader, and whether the link still works is the link's to say; (3) a deployment is followed first only if most of those
 * that are asked speak for it, or more than for any other once others were given time; (4) another one is followed only if most
 * speak for it, for a while in which it was heard and ours was not, and from an address that spoke for ours, if any of those is left
 * (C115, C116). That while is counted in looks, not in time: a pause of this process is no silence of the others (R1.3).
 */
public final class LeaderViews {
    /** A replica repeats its view so often. */
    public static final long BEAT_NANOS = 300_000_000L;

    static final long SILENCE_NANOS = 1_000_000_000L;

    /** In so many looks in a row others are heard and ours is not, until it counts that ours is silent: a second of them. */
    static final int SILENT_LOOKS = 10;
    /** After so many, who was never heard at all counts no longer among those that are asked. */
    static final int PATIENT_LOOKS = 100;

    /** What came of a view. */
    public enum News {
        /** It counts. */
        TAKEN,
        /** The first one of this deployment: the cell is found, or was set up anew. */
        ADOPTED,
        /** It is of another deployment. */
        FOREIGN,
        /** None is followed yet, and too few have spoken. */
        UNDECIDED
    }

    /**
     * Who leads.
     *
     * @param leader null if none is known
     * @param term of the newest leader that was known; {@link Long#MIN_VALUE} before the first
     */
    public record Known(@Nullable String leader, long term) {
        static final Known NOTHING = new Known(null, Long.MIN_VALUE);
    }

    private record Heard(LeadersView view, long atNanos) {}

    /** Newest view by the address at which it was heard. */
    private final Map<String, Heard> views = new TreeMap<>();

    /** The same of those that speak for another deployment, or for one that is not followed yet. */
    private final Map<String, Heard> others = new TreeMap<>();

    private Set<String> asked = new TreeSet<>();
    private int silentLooks;
    private @Nullable String deployment;
    /** By cell; of those that nobody spoke of there is nothing. */
    private final Map<String, Known> known = new TreeMap<>();

    /** Who is asked from now on; what was heard elsewhere does not count any more. */
    public void asked(Set<String> addresses) {
        asked = new TreeSet<>(addresses);
        views.keySet().retainAll(asked);
        others.keySet().retainAll(asked);
    }

    /** To be called every 100 ms, and not more often after a pause. */
    public void look(long now) {
        boolean onlyOthers = hearing(now) == 0 && hearingOthers(now) > 0;
        silentLooks = onlyOthers ? silentLooks + 1 : 0;
    }

    /** A replica said this at that address. */
    public News heard(String address, LeadersView view, long now) {
        String told = view.deployment();
        if (told.equals(deployment)) {
            others.remove(address);
            views.put(address, new Heard(view, now));
            silentLooks = 0;
            judge(now);
            return News.TAKEN;
        }
        others.put(address, new Heard(view, now));
        if (deployment == null ? !isFirst(told, now) : !isSetUpAnew(address, told, now)) {
            return deployment == null ? News.UNDECIDED : News.FOREIGN;
        }
        adopt(told, now);
        return News.ADOPTED;
    }

    private boolean isFirst(String told, long now) {
        int speakers = speakers(told, now);
        boolean most = 2 * speakers > asked.size();
        return most || (silentLooks >= SILENT_LOOKS && speakers > mostOfAnyBut(told, now));
    }

    /** Whether most speak for this deployment now, and for long enough nobody for ours. */
    private boolean isSetUpAnew(String address, String told, long now) {
        boolean isHeir = views.isEmpty() || views.containsKey(address);
        return isHeir
                && silentLooks >= SILENT_LOOKS
                && hearing(now) == 0
                && 2 * speakers(told, now) > (silentLooks >= PATIENT_LOOKS ? everHeard() : asked.size());
    }

    private void adopt(String told, long now) {
        views.clear();
        known.clear();
        deployment = told;
        silentLooks = 0;
        others.forEach((address, heard) -> {
            if (isOf(told, heard)) {
                views.put(address, heard);
            }
        });
        others.keySet().removeAll(views.keySet());
        judge(now);
    }

    private static boolean isOf(String told, Heard heard) {
        return heard.view().deployment().equals(told);
    }

    /** Of a deployment that is not ours. */
    private int speakers(String told, long now) {
        int count = 0;
        for (Heard heard : others.values()) {
            count += isOf(told, heard) && isFresh(heard, now) ? 1 : 0;
        }
        return count;
    }

    private int mostOfAnyBut(String told, long now) {
        int most = 0;
        for (Heard heard : others.values()) {
            if (!isOf(told, heard)) {
                most = Math.max(most, speakers(heard.view().deployment(), now));
            }
        }
        return most;
    }

    private int everHeard() {
        Set<String> all = new TreeSet<>(views.keySet());
        all.addAll(others.keySet());
        return all.size();
    }

    /** The newest view of each that speaks for the deployment that is followed, by its address. */
    public Map<String, LeadersView> ours() {
        Map<String, LeadersView> ours = new TreeMap<>();
        views.forEach((address, heard) -> ours.put(address, heard.view()));
        return ours;
    }

    /** Who leads each cell that was spoken of, by its name, by all that was heard so far. */
    public Map<String, Known> known(long now) {
        judge(now);
        return new TreeMap<>(known);
    }

    /** The same of one cell. */
    Known known(String cell, long now) {
        judge(now);
        return known.getOrDefault(cell, Known.NOTHING);
    }

    private void judge(long now) {
        Map<String, Known> best = new TreeMap<>();
        for (Heard heard : views.values()) {
            if (isFresh(heard, now)) {
                for (CellLeader cell : heard.view().cells()) {
                    Known said = new Known(cell.leader(), cell.term());
                    best.merge(cell.cell(), said, LeaderViews::newer);
                }
            }
        }
        best.forEach((cell, said) -> {
            Known before = known.getOrDefault(cell, Known.NOTHING);
            if (said.leader() == null) {
                known.put(cell, new Known(null, before.term()));
            } else if (said.term() >= before.term()) {
                known.put(cell, said);
            }
        });
    }

    /** Of two that were said: that somebody knows no leader counts only if nobody knows one. */
    private static Known newer(Known one, Known other) {
        if (one.leader() == null || other.leader() == null) {
            return one.leader() == null ? other : one;
        }
        return other.term() > one.term() ? other : one;
    }

    /** How many of those that are asked have spoken lately for the deployment that is followed. */
    public int hearing(long now) {
        return fresh(views, now);
    }

    /** How many have spoken lately for another one, or before one is followed. */
    public int hearingOthers(long now) {
        return fresh(others, now);
    }

    private static int fresh(Map<String, Heard> of, long now) {
        int count = 0;
        for (Heard heard : of.values()) {
            count += isFresh(heard, now) ? 1 : 0;
        }
        return count;
    }

    private static boolean isFresh(Heard heard, long now) {
        return now - heard.atNanos() < SILENCE_NANOS;
    }
}
