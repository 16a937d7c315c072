package io.holdfast.proxy.core;

import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.WatchKind;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claims of many clients on their way to the leader: each path and kind once in a round, one round at a time (R5.3, R8.4).
 *
 * <p>What comes while a round is on its way gathers for the next, so that it is judged after a leadership check which began when
 * it was here (R2.6).
 *
 * <p><b>Thread:</b> the front end's.
 */
final class SharedClaims {
    /** What is watched. */
    record Target(WatchKind kind, NodePath path) {}

    /** A client's frame of claims that is not answered. */
    static final class Page {
        final ClientStream client;
        final long callId;
        /** Claims of it that are not judged. */
        private int left;
        /** Shared watches that it claims. */
        private final Set<Long> numbers = new LinkedHashSet<>();

        /** Refused, or its stream speaks for the session no longer. */
        boolean dead;

        Page(ClientStream client, long callId, int claims) {
            this.client = client;
            this.callId = callId;
            this.left = claims;
        }
    }

    record Claim(Page page, long watch, long seenRevision) {}

    /** All claims of a round for one shared watch. */
    record Gathered(long number, Target target, List<Claim> claims) {}

    /**
     * What the leader has judged.
     *
     * @param pages all that it was about
     * @param complete those of which nothing is left, in the order in which they came
     */
    record Round(List<Gathered> gathered, List<Page> pages, List<Page> complete) {}

    private final WatchDrops.Leader leader;
    private final Map<Long, Gathered> waiting = new LinkedHashMap<>();
    /** Those with nothing to claim; answered by the next round, as they wait for what is withdrawn. */
    private List<Page> empty = new ArrayList<>();

    private @Nullable List<Gathered> onItsWay;
    private List<Page> emptyOnItsWay = new ArrayList<>();
    private long lastRound;

    SharedClaims(WatchDrops.Leader leader) {
        this.leader = leader;
    }

    void add(long number, Target target, Page page, ClientFrame.WatchClaim claim) {
        waiting.computeIfAbsent(number, any -> new Gathered(number, target, new ArrayList<>()))
                .claims()
                .add(new Claim(page, claim.watch(), claim.seenRevision()));
        page.numbers.add(number);
    }

    /** Takes out what of a page was not sent yet: how many claims, by the number of the shared watch. */
    Map<Long, Integer> withdraw(Page page) {
        Map<Long, Integer> withdrawn = new LinkedHashMap<>();
        for (long number : page.numbers) {
            Gathered gathered = waiting.get(number);
            int before = gathered == null ? 0 : gathered.claims().size();
            if (gathered != null && gathered.claims().removeIf(claim -> claim.page() == page)) {
                withdrawn.put(number, before - gathered.claims().size());
                if (gathered.claims().isEmpty()) {
                    waiting.remove(number);
                }
            }
        }
        empty.remove(page);
        return withdrawn;
    }

    /** All of a page was added. */
    void begin(Page page) {
        if (page.left == 0) {
            empty.add(page);
        }
        flush();
    }

    /** Sends the next round, if none is on its way. */
    void flush() {
        if (onItsWay != null || (waiting.isEmpty() && empty.isEmpty())) {
            return;
        }
        List<Gathered> round = new ArrayList<>();
        List<UpstreamFrame.WatchedPath> paths = new ArrayList<>();
        int bytes = 0;
        for (Iterator<Gathered> each = waiting.values().iterator(); each.hasNext(); ) {
            Gathered next = each.next();
            bytes += 3 * next.target().path().value().length();
            if (round.size() == Limits.MAX_PAGE_ENTRIES || (!round.isEmpty() && bytes > Limits.MAX_WATCH_PAGE_BYTES)) {
                break; // R8.4
            }
            each.remove();
            round.add(next);
            paths.add(new UpstreamFrame.WatchedPath(
                    next.number(), next.target().kind(), next.target().path()));
        }
        onItsWay = round;
        emptyOnItsWay = empty;
        empty = new ArrayList<>();
        leader.send(new UpstreamFrame.ClaimWatches(++lastRound, paths));
    }

    /** The round with this number is answered; null if it is not the one on its way. */
    @Nullable
    Round answered(long number) {
        List<Gathered> round = onItsWay;
        if (round == null || number != lastRound) {
            return null;
        }
        onItsWay = null;
        Set<Page> pages = new LinkedHashSet<>(emptyOnItsWay);
        List<Page> complete = new ArrayList<>(emptyOnItsWay);
        for (Gathered gathered : round) {
            for (Claim claim : gathered.claims()) {
                Page page = claim.page();
                pages.add(page);
                if (--page.left == 0) {
                    complete.add(page);
                }
            }
        }
        pages.removeIf(page -> page.dead);
        complete.removeIf(page -> page.dead);
        return new Round(round, List.copyOf(pages), complete);
    }

    void clear() {
        waiting.clear();
        empty.clear();
        onItsWay = null;
        emptyOnItsWay.clear();
    }
}
