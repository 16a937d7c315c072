package io.holdfast.protocol.frame;

import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import java.util.List;

/** From a front end to the leader, on one ordered link for all its clients. */
public sealed interface UpstreamFrame {
    /**
     * A client's frame.
     *
     * @param stream the front end's number for the client's stream; never used twice on one link
     * @param frame as it came; but a read's watch number is that of the front end's watch for the path and kind
     */
    record Forward(long stream, ClientFrame frame) implements UpstreamFrame {}

    /** The client's stream is gone. Says nothing about its session. */
    record StreamClosed(long stream) implements UpstreamFrame {}

    /**
     * The sessions that the front end has heard from since its last batch (R3.5). Answered once, by {@link
     * DownstreamFrame.KeepAlivesSettled} or {@link DownstreamFrame.KeepAlivesRefused}.
     *
     * @param number from 1; never used twice on one link
     * @param heard 1 to {@link #MAX_HEARD}, each stream once
     */
    record KeepAlives(long number, List<Heard> heard) implements UpstreamFrame {
        /** Sessions in one batch. */
        public static final int MAX_HEARD = 10_000;

        public KeepAlives {
            heard = List.copyOf(heard);
        }
    }

    /**
     * Registers watches of the front end, one for each path and kind that its clients claim, whatever they have seen (R5.3). Answered
     * once, by {@link DownstreamFrame.WatchesClaimed} or {@link DownstreamFrame.WatchClaimsRefused}.
     *
     * @param page from 1; never used twice on one link
     * @param paths at most {@link io.holdfast.model.Limits#MAX_PAGE_ENTRIES}; may be none
     */
    record ClaimWatches(long page, List<WatchedPath> paths) implements UpstreamFrame {
        public ClaimWatches {
            paths = List.copyOf(paths);
        }
    }

    /** @param watch the front end's number for it, as in the reads that it forwards; never used on its link for another path */
    record WatchedPath(long watch, WatchKind kind, NodePath path) {}

    /**
     * Nobody needs these watches of the front end any more.
     *
     * @param watches 1 to {@link #MAX}
     */
    record DropWatches(List<Long> watches) implements UpstreamFrame {
        public static final int MAX = 10_000;

        public DropWatches {
            watches = List.copyOf(watches);
        }
    }

    /**
     * A KeepAlive that has arrived at the front end.
     *
     * @param stream that spoke for the session, as the front end knows
     * @param sendNumber of the last one that had arrived: the answer is about that send
     */
    record Heard(long stream, SessionId session, long sendNumber) {}

    /**
     * For another cell than the first of the deployment.
     *
     * @param frame not again one of these
     */
    record ToCell(String cell, UpstreamFrame frame) implements UpstreamFrame {
        public ToCell {
            if (cell.isEmpty() || frame instanceof ToCell) {
                throw new IllegalArgumentException("a frame is for one cell");
            }
        }
    }
}
