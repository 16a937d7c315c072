package io.holdfast.simulation.scenario;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.simulation.process.ClientApp;
import io.holdfast.simulation.process.SimClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client in a story: what it asks for, and what it was told. */
final class Actor implements ClientApp {
    static final long NO_LIMIT = Long.MAX_VALUE;

    private final SimClient client;
    private final Map<Long, Object> answers = new HashMap<>();
    private final List<SessionState> states = new ArrayList<>();
    private final List<Hold> lost = new ArrayList<>();

    Actor(SimClient client) {
        this.client = client;
        client.run(this);
    }

    SimClient process() {
        return client;
    }

    // ---- when

    long acquire(String lock, LockMode mode, long waitNanos) {
        return acquire(lock, mode, waitNanos, 0);
    }

    long acquire(String lock, LockMode mode, long waitNanos, long delayMillis) {
        AcquireSpec spec = new AcquireSpec(new NodePath(lock), mode, delayMillis, new byte[0]);
        return call(id -> new SessionEvent.Acquire(id, spec, waitNanos, NO_LIMIT));
    }

    long release(Hold hold) {
        return call(id -> new SessionEvent.Release(id, hold));
    }

    long put(String path, int value, long version) {
        Operation put = new Operation.Put(new NodePath(path), new byte[] {(byte) value}, version);
        return call(id -> new SessionEvent.Submit(id, put, NO_LIMIT));
    }

    long get(String path) {
        return call(id -> new SessionEvent.Read(id, new Query.GetValue(new NodePath(path)), NO_LIMIT));
    }

    /** As an operator: asked once, without a session. */
    long ask(Operation operation) {
        return call(id -> new SessionEvent.OneShot(id, operation, 5 * Story.SECOND));
    }

    long breakHold(Hold hold) {
        return ask(new Operation.BreakPlace(hold.place(), hold.token()));
    }

    long read(Query query) {
        return call(id -> new SessionEvent.Read(id, query, NO_LIMIT));
    }

    void cancel(long call) {
        client.step(new SessionEvent.Cancel(call));
    }

    private long call(java.util.function.LongFunction<SessionEvent> event) {
        long id = client.nextCallId();
        client.step(event.apply(id));
        return id;
    }

    // ---- then

    boolean isAnswered(long call) {
        return answers.containsKey(call);
    }

    Object answer(long call) {
        return answers.get(call);
    }

    Hold hold(long call) {
        return (Hold) answers.get(call);
    }

    Failure.Kind failure(long call) {
        return ((Failure) answers.get(call)).kind();
    }

    boolean holds(Hold hold) {
        return hold.isHeldAt(client.localNanos());
    }

    List<SessionState> states() {
        return states;
    }

    List<Hold> lost() {
        return lost;
    }

    // ---- what it is told

    @Override
    public void started() {}

    @Override
    public void completed(long callId, Outcome outcome) {
        answers.put(callId, outcome);
    }

    @Override
    public void answered(long callId, Answer answer) {
        answers.put(callId, answer);
    }

    @Override
    public void granted(long callId, Hold hold) {
        answers.put(callId, hold);
    }

    @Override
    public void failed(long callId, Failure failure) {
        answers.put(callId, failure);
    }

    @Override
    public void stateChanged(SessionState state) {
        states.add(state);
    }

    @Override
    public void holdLost(Hold hold) {
        lost.add(hold);
    }

    @Override
    public void died() {}
}
