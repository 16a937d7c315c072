package io.holdfast.protocol.frame;

import io.holdfast.model.SessionId;
import java.util.List;

/** From a front end to the leader, on one ordered link for all its clients. */
public sealed interface UpstreamFrame {
    /**
     * A client's frame.
     *
     * @param stream the front end's number for the client's stream; never used twice on one link
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
     * A KeepAlive that has arrived at the front end.
     *
     * @param stream that spoke for the session, as the front end knows
     * @param sendNumber of the last one that had arrived: the answer is about that send
     */
    record Heard(long stream, SessionId session, long sendNumber) {}
}
