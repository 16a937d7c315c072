package io.holdfast.replica;

import io.holdfast.cell.AppliedEntry;
import io.holdfast.cell.CellEvent;
import io.holdfast.cell.leader.WatchTable;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Registers watches and tells of what they cover, while this replica leads.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b> 1. A watch is registered in the step that answers its read or its claim, from applied state after a
 * leadership check (R5.1, R2.6). 2. It belongs to the stream that speaks for its session: whoever changes that binding calls
 * {@link #streamGone}. 3. A frame names at most {@link #MAX_FIRED_PER_FRAME} watches (R8.4).
 *
 * <p><b>Source:</b> R5.1–R5.4, ADR 0009.
 */
final class Watches {
    static final int MAX_FIRED_PER_FRAME = 10_000;

    private final CellDriver driver;
    private final ClientStreams streams;
    private final ReplicaMeter meter;
    private final WatchTable table = new WatchTable();

    Watches(CellDriver driver, ClientStreams streams, ReplicaMeter meter) {
        this.driver = driver;
        this.streams = streams;
        this.meter = meter;
    }

    int size() {
        return table.size();
    }

    /** The stream that spoke for a session does no longer, or the session is over: its watches go (R3.2, R5.3). */
    void streamGone(SessionId session) {
        table.removeAll(session);
    }

    /** Tells of what an entry changed; before any reply that shows it (R5.2). */
    void applied(AppliedEntry applied) {
        if (table.size() == 0) {
            return;
        }
        Map<SessionId, List<Long>> fired = new TreeMap<>();
        for (CellEvent event : applied.events()) {
            if (event instanceof CellEvent.NodeChanged changed) {
                table.changed(changed, fired);
            }
        }
        fired.forEach(this::tell);
    }

    private void tell(SessionId session, List<Long> fired) {
        ClientStream stream = streams.streamOf(session);
        for (int from = 0; stream != null && from < fired.size(); from += MAX_FIRED_PER_FRAME) {
            List<Long> page = fired.subList(from, Math.min(from + MAX_FIRED_PER_FRAME, fired.size()));
            streams.send(
                    stream,
                    new ServerFrame.WatchesFired(session, driver.machine().revision(), page));
            meter.watchesFired(driver.id(), page.size());
        }
    }

    /**
     * Registers the watch of a read with the answer that is about to go out. Nothing is registered with an answer that says
     * nothing about the path.
     *
     * @return the answer, or why there can be no watch
     */
    Answer register(SessionId session, ReadQueue.Read read, Answer answer) {
        if (read.watch() == 0) {
            return answer;
        }
        boolean tells = !(answer instanceof Answer.Failed failed) || failed.code() == ErrorCode.NOT_FOUND;
        if (!tells || !(read.query() instanceof Query.Watchable watched)) {
            return answer;
        }
        if (!table.hasRoomFor(session, 1)) {
            return new Answer.Failed(ErrorCode.LIMIT, tooMany(session));
        }
        table.add(session, read.watch(), new WatchTable.Target(watched.watchKind(), watched.path()));
        return answer;
    }

    private String tooMany(SessionId session) {
        return "session " + session + " has " + table.sizeOf(session) + " watches and the cell " + table.size()
                + "; no more fit";
    }

    /** Registers what is claimed, and tells at once of what is newer than its client has seen (R5.3). */
    void claim(ClientStream stream, SessionId session, ClientFrame.Watch frame) {
        frame.dropped().forEach(watch -> table.remove(session, watch));
        if (!table.hasRoomFor(session, frame.claims().size())) {
            streams.refuse(stream, frame.callId(), ErrorCode.LIMIT, true, tooMany(session));
            return;
        }
        List<Long> fired = new ArrayList<>();
        for (ClientFrame.WatchClaim claim : frame.claims()) {
            if (driver.machine().isNewerThan(claim.kind(), claim.path(), claim.seenRevision())) {
                table.remove(session, claim.watch());
                fired.add(claim.watch());
            } else {
                table.add(session, claim.watch(), new WatchTable.Target(claim.kind(), claim.path()));
            }
        }
        tell(session, fired);
        streams.send(
                stream, new ServerFrame.Watched(frame.callId(), driver.machine().revision()));
    }
}
