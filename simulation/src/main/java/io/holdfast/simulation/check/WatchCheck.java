package io.holdfast.simulation.check;

import io.holdfast.model.Answer;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.simulation.world.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one client's watches and listeners may and must be told, in one life of its session.
 *
 * <p><b>Checks:</b> no reply shows a newer value before the event of the watch on it (R5.2); an event of a watch on a value that
 * was there has a change behind it (R5.4); no listener goes back; in the end every listener has what is there, for certain, and
 * no watch stands whose value has changed (R5.3).
 */
public final class WatchCheck {
    private final Checks checks;
    private final String who;
    private final Map<Long, Single> singles = new TreeMap<>();
    private final Map<Long, Listener> listeners = new TreeMap<>();

    /** A watch for one event. */
    private record Single(Query query, Answer answer, long seenRevision) {
        boolean isOnValue(String path) {
            return query instanceof Query.GetValue get && get.path().value().equals(path);
        }
    }

    private static final class Listener {
        final Query query;

        @Nullable
        Answer told;

        boolean certain;
        long newest;

        Listener(Query query) {
            this.query = query;
        }
    }

    public WatchCheck(Checks checks, String who) {
        this.checks = checks;
        this.who = who;
    }

    private Violation violation(String invariant, String detail) {
        return new Violation(invariant, who + ": " + detail);
    }

    // ---- single watches

    public void armed(long id, Query query, Answer answer, long seenRevision) {
        singles.put(id, new Single(query, answer, seenRevision));
    }

    public boolean isArmed(long id) {
        return singles.containsKey(id);
    }

    public void fired(long id, long revision) {
        Single single = singles.remove(id);
        if (single == null) {
            throw violation("one event (R5.1)", "watch " + id + " fired although it did not stand");
        }
        boolean wasThere = single.answer() instanceof Answer.Value value && value.value() != null;
        if (wasThere && single.query() instanceof Query.GetValue get) {
            Long change = checks.model().valueChangedAfter(get.path().value(), single.seenRevision());
            if (change == null || change > revision) {
                throw violation(
                        "no event without a change (R5.4)",
                        "the watch of " + get.path() + " from revision " + single.seenRevision() + " fired at "
                                + revision);
            }
        }
    }

    public void ended(long id) {
        singles.remove(id);
        listeners.remove(id);
    }

    /** A reply shows this value; {@code revision} is when it was set. */
    public void shown(String path, long revision) {
        for (Map.Entry<Long, Single> watch : singles.entrySet()) {
            Single single = watch.getValue();
            if (single.isOnValue(path) && revision > single.seenRevision()) {
                throw violation(
                        "event before reply (R5.2)",
                        "a reply shows " + path + " of revision " + revision + ", but its watch " + watch.getKey()
                                + " from revision " + single.seenRevision() + " has not fired");
            }
        }
    }

    /** A reply shows that there is no such value; it was asked for, and answered, after every watch that stands. */
    public void shownGone(String path) {
        for (Map.Entry<Long, Single> watch : singles.entrySet()) {
            Single single = watch.getValue();
            if (single.isOnValue(path) && single.answer() instanceof Answer.Value seen && seen.value() != null) {
                throw violation(
                        "event before reply (R5.2)",
                        "a reply shows that " + path + " is gone, but its watch " + watch.getKey() + " from revision "
                                + single.seenRevision() + " has not fired");
            }
        }
    }

    /** A reply to a request of this client. */
    public void shown(Outcome outcome) {
        if (outcome instanceof Outcome.Written written) {
            shown(written.path().value(), written.revision());
        } else if (outcome instanceof Outcome.Deleted deleted) {
            shown(deleted.path().value(), deleted.revision());
        }
    }

    // ---- listeners

    public void listening(long id, Query query) {
        listeners.put(id, new Listener(query));
    }

    private Listener listener(long id, String what) {
        Listener listener = listeners.get(id);
        if (listener == null) {
            throw violation("listeners", what + " was told to " + id + ", which does not listen");
        }
        return listener;
    }

    public void observed(long id, Answer answer) {
        Listener listener = listener(id, "a state");
        long revision = revisionOf(answer);
        if (revision != 0 && revision < listener.newest) {
            throw violation(
                    "a listener never goes back",
                    "told revision " + revision + " after " + listener.newest + ": " + answer);
        }
        listener.newest = Math.max(listener.newest, revision);
        listener.told = answer;
        listener.certain = true;
    }

    private static long revisionOf(Answer answer) {
        if (answer instanceof Answer.Value value) {
            return value.modifyRevision();
        } else if (answer instanceof Answer.Children children) {
            return children.childrenRevision();
        }
        return answer instanceof Answer.NodeStat stat ? stat.createRevision() : 0;
    }

    public void unsure(long id) {
        Listener listener = listener(id, "doubt");
        if (!listener.certain) {
            throw violation("listeners", "told twice to doubt");
        }
        listener.certain = false;
    }

    public void sureAgain(long id) {
        Listener listener = listener(id, "certainty");
        if (listener.certain || listener.told == null) {
            throw violation("listeners", "told to be sure again without doubt");
        }
        listener.certain = true;
    }

    /** Ids of all watches and listeners. */
    public List<Long> all() {
        List<Long> all = new ArrayList<>(singles.keySet());
        all.addAll(listeners.keySet());
        return all;
    }

    public int listeners() {
        return listeners.size();
    }

    // ---- in the end

    /** What a watcher does not know although everything is well and nothing happens any more; null if it knows all. */
    public @Nullable String missing() {
        for (Map.Entry<Long, Listener> entry : listeners.entrySet()) {
            Listener listener = entry.getValue();
            Answer present = checks.present(listener.query);
            if (!listener.certain || !isSame(listener.told, present)) {
                return who + ": listener " + entry.getKey() + " of " + listener.query + " has " + listener.told
                        + (listener.certain ? "" : ", in doubt") + "; there is " + present;
            }
        }
        for (Map.Entry<Long, Single> entry : singles.entrySet()) {
            Single single = entry.getValue();
            Long change = single.query() instanceof Query.GetValue get
                    ? checks.model().valueChangedAfter(get.path().value(), single.seenRevision())
                    : null;
            boolean lost = change != null || (change == null && isNewer(single));
            if (lost) {
                return who + ": watch " + entry.getKey() + " of " + single.query() + " from revision "
                        + single.seenRevision() + " has not fired; there is " + checks.present(single.query());
            }
        }
        return null;
    }

    private boolean isNewer(Single single) {
        return revisionOf(checks.present(single.query()))
                > Math.max(revisionOf(single.answer()), single.seenRevision());
    }

    private static boolean isSame(@Nullable Answer told, Answer present) {
        if (told instanceof Answer.Value a && present instanceof Answer.Value b) {
            return a.createRevision() == b.createRevision() && a.modifyRevision() == b.modifyRevision();
        } else if (told instanceof Answer.Children a && present instanceof Answer.Children b) {
            return a.names().equals(b.names()) && a.childrenRevision() == b.childrenRevision();
        } else if (told instanceof Answer.NodeStat a && present instanceof Answer.NodeStat b) {
            return a.createRevision() == b.createRevision();
        }
        return told instanceof Answer.Failed && present instanceof Answer.Failed;
    }
}
