package io.holdfast.replica;

import io.holdfast.cell.AppliedEntry;
import io.holdfast.cell.CellEvent;
import io.holdfast.cell.leader.WatchTable;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Registers the watches of front ends and tells of what they cover, while this replica leads. Who of its clients watches what is a
 * front end's business.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b> 1. A watch is registered in the step that answers a read of a bound stream, or a page of claims, from
 * applied state after a leadership check (R5.1, R2.6). 2. It belongs to the link on which that came, and goes with it. 3. A
 * frame names at most {@link #MAX_FIRED_PER_FRAME} watches (R8.4).
 *
 * <p><b>Source:</b> R5.1–R5.4, ADR 0009, ADR 0020.
 */
final class Watches {
    static final int MAX_FIRED_PER_FRAME = 10_000;

    private final CellDriver driver;
    private final ClientStreams streams;
    private final ReplicaMeter meter;
    /** By link. */
    private final WatchTable<Long> table = new WatchTable<>();

    Watches(CellDriver driver, ClientStreams streams, ReplicaMeter meter) {
        this.driver = driver;
        this.streams = streams;
        this.meter = meter;
    }

    int size() {
        return table.size();
    }

    /** A front end's link is gone: its clients claim anew on another (R5.3). */
    void linkGone(long link) {
        table.removeAll(link);
    }

    /** Tells of what an entry changed; before any reply that shows it (R5.2). */
    void applied(AppliedEntry applied) {
        if (table.size() == 0) {
            return;
        }
        Map<Long, List<Long>> fired = new TreeMap<>();
        for (CellEvent event : applied.events()) {
            if (event instanceof CellEvent.NodeChanged changed) {
                table.changed(changed, fired);
            }
        }
        fired.forEach(this::tell);
    }

    private void tell(long link, List<Long> fired) {
        for (int from = 0; from < fired.size(); from += MAX_FIRED_PER_FRAME) {
            List<Long> page = fired.subList(from, Math.min(from + MAX_FIRED_PER_FRAME, fired.size()));
            streams.sendOn(
                    link, new DownstreamFrame.WatchesFired(driver.machine().revision(), page));
            meter.watchesFired(driver.id(), page.size());
        }
    }

    /**
     * Registers the watch of a read with the answer that is about to go out. Nothing is registered with an answer that says
     * nothing about the path.
     *
     * @return the answer, or why there can be no watch
     */
    Answer register(ReadQueue.Read read, Answer answer) {
        boolean tells = !(answer instanceof Answer.Failed failed) || failed.code() == ErrorCode.NOT_FOUND;
        if (!tells || !(read.query() instanceof Query.Watchable watched)) {
            return answer;
        }
        long link = read.stream().link();
        if (!table.hasRoomFor(link, 1)) {
            return new Answer.Failed(ErrorCode.LIMIT, tooMany(link));
        }
        table.add(link, read.watch(), new WatchTable.Target(watched.watchKind(), watched.path()));
        return answer;
    }

    private String tooMany(long link) {
        return "the cell has " + table.size() + " watches, " + table.sizeOf(link)
                + " of them for this front end; no more" + " fit";
    }

    /** Registers what a front end claims, and says how new each is (R5.3); nothing if its link is gone meanwhile. */
    void claim(ReadQueue.WatchClaims waiting) {
        UpstreamFrame.ClaimWatches frame = waiting.frame();
        long link = waiting.link();
        if (!streams.knowsLink(link)) {
            return;
        }
        if (!table.hasRoomFor(link, frame.paths().size())) {
            refused(link, frame, ErrorCode.LIMIT, tooMany(link));
            return;
        }
        List<Long> newest = new ArrayList<>(frame.paths().size());
        for (UpstreamFrame.WatchedPath path : frame.paths()) {
            table.add(link, path.watch(), new WatchTable.Target(path.kind(), path.path()));
            newest.add(driver.machine().newestOf(path.kind(), path.path()));
        }
        streams.sendOn(
                link,
                new DownstreamFrame.WatchesClaimed(
                        frame.page(), driver.machine().revision(), newest));
    }

    void refused(long link, UpstreamFrame.ClaimWatches frame, ErrorCode code, String why) {
        streams.sendOn(link, new DownstreamFrame.WatchClaimsRefused(frame.page(), code, why));
    }

    /** A front end needs these no more, and nothing of it is on its way that would register them. */
    void drop(long link, List<Long> watches) {
        watches.forEach(watch -> table.remove(link, watch));
    }
}
