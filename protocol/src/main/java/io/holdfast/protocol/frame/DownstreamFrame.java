package io.holdfast.protocol.frame;

import io.holdfast.model.ErrorCode;
import java.util.List;

/** From the leader to a front end. */
public sealed interface DownstreamFrame {
    /** For the client on {@code stream}. */
    record Deliver(long stream, ServerFrame frame) implements DownstreamFrame {}

    /**
     * This replica does not lead (any more); the front end looks for another and interrupts its clients. Sent before the
     * link is closed.
     */
    record NotLeader(String reason) implements DownstreamFrame {}

    /**
     * Answers {@link UpstreamFrame.KeepAlives}: in the step that sent this, every session of the batch was given a full lease, but
     * for those named here by their place in it, from 0 (R3.5).
     *
     * @param number of the batch
     * @param epoch the leader's term
     * @param notRenewed expiring, or being ended
     * @param cacheNotRenewed renewed, but not their cache leases, in the same step: they cache nothing, or have not let go of what they
     *     were told to (R6.2, R6.3)
     * @param unbound their streams spoke for the session no longer, and have been told so if they are there
     */
    record KeepAlivesSettled(
            long number, long epoch, List<Integer> notRenewed, List<Integer> cacheNotRenewed, List<Integer> unbound)
            implements DownstreamFrame {
        public KeepAlivesSettled {
            notRenewed = List.copyOf(notRenewed);
            cacheNotRenewed = List.copyOf(cacheNotRenewed);
            unbound = List.copyOf(unbound);
        }
    }

    /** Nothing of a batch was renewed. */
    record KeepAlivesRefused(long number, ErrorCode code, String reason) implements DownstreamFrame {}

    /**
     * Watches of the front end have fired and are no longer registered (R5.1). Before any reply that shows what is newer (R5.2).
     *
     * @param revision at least that of the change
     */
    record WatchesFired(long revision, List<Long> watches) implements DownstreamFrame {
        public WatchesFired {
            watches = List.copyOf(watches);
        }
    }

    /**
     * Answers {@link UpstreamFrame.ClaimWatches}: all of them are registered since this step.
     *
     * @param revision of the cell in this step
     * @param newest for each of them, in order: a client that has seen less may have missed something that it covers; one that has seen
     *     as much has not (R5.3)
     */
    record WatchesClaimed(long page, long revision, List<Long> newest) implements DownstreamFrame {
        public WatchesClaimed {
            newest = List.copyOf(newest);
        }
    }

    /** Nothing of a page was registered. */
    record WatchClaimsRefused(long page, ErrorCode code, String reason) implements DownstreamFrame {}

    /**
     * From another cell than the first of the deployment. A {@link NotLeader} in it is about that cell alone: the link goes on
     * for the others.
     *
     * @param frame not again one of these
     */
    record FromCell(String cell, DownstreamFrame frame) implements DownstreamFrame {
        public FromCell {
            if (cell.isEmpty() || frame instanceof FromCell) {
                throw new IllegalArgumentException("a frame is from one cell");
            }
        }
    }
}
