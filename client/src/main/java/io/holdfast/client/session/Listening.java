package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.Limits;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows a value, the children of a node or its existence: read, wait for the event, read and arm again in one.
 *
 * <p><b>Thread:</b> the machine's.
 *
 * <p><b>Invariants:</b> 1. From the first answer on there is a watch that stands, lapses or is asked for: never a state without one,
 * so the newest state is always told in the end. 2. States are told in the order of their revisions: one read is on its way at a
 * time, and reads are linearizable. 3. While nobody watches at the leader, what was told is not certain.
 *
 * <p><b>Source:</b> R5.1, R5.3, F6, ADR 0009.
 */
final class Listening {
    /** Lists that changed while their pages were read are read again so often. */
    private static final int MAX_TORN_READS = 4;

    /** What it works with. */
    record Tools(Trust trust, Outbox outbox, Watches watches, Calls calls) {}

    private final long id;
    private final Query query;
    private final Tools tools;
    private final Runnable whenOver;
    private final Watch.Owner watching = new Watching();

    private @Nullable Watch watch;
    /** Identity of what was told last; null before. */
    private @Nullable Seen told;

    private boolean certain;

    // Of a list of several pages that is being read.
    private final List<String> names = new ArrayList<>();
    private long namesRevision;
    private @Nullable Call nextPage;
    private boolean firedMeanwhile;
    private int tornReads;

    /** @param kind of answer; two states of one kind with the same revisions are the same */
    private record Seen(Class<? extends Answer> kind, long created, long modified) {}

    /** @param whenOver told when it ends without having been stopped */
    Listening(SessionEvent.Listen event, Tools tools, Runnable whenOver) {
        this.id = event.listenId();
        this.query = event.query();
        this.tools = tools;
        this.whenOver = whenOver;
    }

    /** Reads the present state, and watches it. */
    void ask() {
        names.clear();
        firedMeanwhile = false;
        watch = tools.watches().ask(query, Deadlines.NEVER, watching);
    }

    /** Nobody listens any more. */
    void stop() {
        dropNextPage();
        if (watch != null) {
            tools.watches().withdraw(watch);
        }
    }

    private void dropNextPage() {
        if (nextPage != null) {
            tools.calls().drop(nextPage);
            nextPage = null;
        }
    }

    private final class Watching implements Watch.Owner {
        @Override
        public void answered(Answer answer, long now) {
            if (answer instanceof Answer.Children children && children.more()) {
                namesRevision = children.childrenRevision();
                names.addAll(children.names());
                askNextPage();
            } else {
                found(answer, now);
            }
        }

        @Override
        public void fired(long revision, long now) {
            if (nextPage != null && tornReads >= MAX_TORN_READS) {
                firedMeanwhile = true; // tell this one; it is read again then
                return;
            }
            tornReads += nextPage == null ? 0 : 1;
            dropNextPage();
            ask();
        }

        @Override
        public void lapsed(String why) {
            unsure(why);
        }

        @Override
        public void armedAgain(long now) {
            safeAgain(now);
        }

        @Override
        public void failed(Failure failure, long now) {
            dropNextPage();
            whenOver.run();
            tools.outbox().add(new SessionAction.WatchEnded(id, failure));
        }
    }

    private void askNextPage() {
        Query.Watchable list = (Query.Watchable) query;
        String after = names.get(names.size() - 1);
        nextPage = tools.calls()
                .read(
                        new Query.ListChildren(list.path(), after, Limits.MAX_PAGE_ENTRIES),
                        Deadlines.NEVER,
                        new PageOwner());
    }

    private final class PageOwner implements Call.Owner {
        @Override
        public void answered(Answer answer, long now) {
            nextPage = null;
            boolean whole = answer instanceof Answer.Children page && page.childrenRevision() == namesRevision;
            if (!whole && tornReads < MAX_TORN_READS) {
                tornReads++;
                restart();
                return;
            }
            boolean more = false;
            if (answer instanceof Answer.Children page) {
                names.addAll(page.names());
                more = page.more() && !page.names().isEmpty();
            }
            if (more) {
                askNextPage();
                return;
            }
            found(new Answer.Children(((Query.Watchable) query).path(), List.copyOf(names), false, namesRevision), now);
        }

        @Override
        public void done(Outcome outcome, long now) {}

        @Override
        public void failed(Failure failure, long now) {
            nextPage = null; // closed: the watch fails too
        }
    }

    private void restart() {
        if (watch != null) {
            tools.watches().withdraw(watch);
        }
        ask();
    }

    private void found(Answer answer, long now) {
        Seen seen = seen(answer);
        boolean torn = tornReads >= MAX_TORN_READS;
        if (torn || !seen.equals(told)) {
            certain = true;
            tools.outbox().add(new SessionAction.Observed(id, answer));
        }
        told = torn ? new Seen(Answer.Failed.class, -1, -1) : seen;
        tornReads = 0;
        names.clear();
        safeAgain(now);
        if (!tools.trust().safeAt(now)) {
            unsure("the session is in jeopardy");
        } else if (watch != null && watch.step == Watch.Step.LAPSED) {
            unsure("the connection was lost");
        }
        if (firedMeanwhile) {
            ask();
        }
    }

    private static Seen seen(Answer answer) {
        if (answer instanceof Answer.Value value) {
            return new Seen(Answer.Value.class, value.createRevision(), value.modifyRevision());
        } else if (answer instanceof Answer.Children children) {
            return new Seen(Answer.Children.class, 0, children.childrenRevision());
        } else if (answer instanceof Answer.NodeStat stat) {
            return new Seen(Answer.NodeStat.class, stat.createRevision(), 0);
        }
        return new Seen(Answer.Failed.class, 0, 0); // there is no node
    }

    /** What was told may be old. */
    void unsure(String why) {
        if (certain) {
            certain = false;
            tools.outbox().add(new SessionAction.Unsure(id, why));
        }
    }

    /** If somebody watches and the session is SAFE, what was told holds again. */
    void safeAgain(long now) {
        boolean stands = watch != null
                && watch.isArmed()
                && nextPage == null
                && tools.trust().safeAt(now);
        if (!certain && told != null && stands) {
            certain = true;
            tools.outbox().add(new SessionAction.SureAgain(id));
        }
    }
}
