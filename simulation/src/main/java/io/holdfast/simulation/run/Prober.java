package io.holdfast.simulation.run;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.Outcome;
import io.holdfast.simulation.process.ClientApp;
import io.holdfast.simulation.process.SimClient;
import java.util.List;

/** Takes everything that there is once, one after the other, gives it back and closes its session. */
final class Prober implements ClientApp {
    private final SimClient client;
    private final List<AcquireSpec> specs;
    private int next;
    private boolean done;

    Prober(SimClient client, List<AcquireSpec> specs) {
        this.client = client;
        this.specs = specs;
    }

    boolean isDone() {
        return done;
    }

    @Override
    public void started() {
        acquireNext();
    }

    private void acquireNext() {
        if (next == specs.size()) {
            done = true;
            client.step(new SessionEvent.Close(Long.MAX_VALUE));
            return;
        }
        client.step(new SessionEvent.Acquire(client.nextCallId(), specs.get(next), Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @Override
    public void granted(long callId, Hold hold) {
        client.step(new SessionEvent.Release(client.nextCallId(), hold));
    }

    @Override
    public void completed(long callId, Outcome outcome) {
        next++;
        acquireNext();
    }

    @Override
    public void answered(long callId, Answer answer) {}

    @Override
    public void failed(long callId, Failure failure) {}

    @Override
    public void stateChanged(SessionState state) {}

    @Override
    public void holdLost(Hold hold) {}

    @Override
    public void died() {}
}
