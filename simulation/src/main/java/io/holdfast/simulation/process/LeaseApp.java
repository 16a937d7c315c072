package io.holdfast.simulation.process;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.model.LeaseOutcome;

/** What an application does with what its client library tells it of leased locks. Runs in the client's process. */
public interface LeaseApp {
    /** The process has started. */
    void started();

    void granted(long callId, LeasedHold hold);

    void answered(long callId, LeaseOutcome outcome);

    void failed(long callId, Failure failure);

    void lost(LeasedHold hold);

    /** The process died; nothing of the above comes any more for what it had begun. */
    void died();
}
