package io.holdfast.proxy.core;

import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.LeadersView.CellLeader;
import java.util.Map;
import java.util.TreeMap;
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
 * news of the leader, and whether the link still works is the link's to say; (3) replicas of another deployment are not listened to,
 * unless all that is heard speaks of it and one of them spoke for this one before (C115).
 */
public final class LeaderViews {
    /** A replica repeats its view so often. */
    public static final long BEAT_NANOS = 300_000_000L;

    static final long SILENCE_NANOS = 1_000_000_000L;

    /** What came of a view. */
    public enum News {
        /** It counts. */
        TAKEN,
        /** The first one of this deployment: the cell is found, or was set up anew. */
        ADOPTED,
        /** It is of another deployment. */
        FOREIGN
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

    private @Nullable String deployment;
    /** By cell; of those that nobody spoke of there is nothing. */
    private final Map<String, Known> known = new TreeMap<>();

    /** A replica said this at that address. */
    public News heard(String address, LeadersView view, long now) {
        String told = view.deployment();
        boolean isOurs = told.equals(deployment);
        boolean adopt = !isOurs && (deployment == null || isSetUpAnew(address, now));
        if (!isOurs && !adopt) {
            return News.FOREIGN;
        }
        if (adopt) {
            views.clear();
            known.clear();
            deployment = told;
        }
        views.put(address, new Heard(view, now));
        judge(now);
        return adopt ? News.ADOPTED : News.TAKEN;
    }

    /** Whether one of ours speaks for another deployment now and none of the others for the old one. */
    private boolean isSetUpAnew(String address, long now) {
        return views.containsKey(address) && hearing(now, address) == 0;
    }

    /** Nobody is asked there any more. */
    public void forget(String address) {
        views.remove(address);
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

    /** How many of those that are asked have answered lately. */
    public int hearing(long now) {
        return hearing(now, "");
    }

    private int hearing(long now, String except) {
        int count = 0;
        for (Map.Entry<String, Heard> each : views.entrySet()) {
            count += isFresh(each.getValue(), now) && !each.getKey().equals(except) ? 1 : 0;
        }
        return count;
    }

    private static boolean isFresh(Heard heard, long now) {
        return now - heard.atNanos() < SILENCE_NANOS;
    }
}
