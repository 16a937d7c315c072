package io.holdfast.simulation.scenario;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.simulation.check.CacheCheck;
import io.holdfast.simulation.process.ClientApp;
import io.holdfast.simulation.process.SimClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A client in a story: what it asks for, and what it was told. */
final class Actor implements ClientApp {
    static final long NO_LIMIT = Long.MAX_VALUE;

    private final SimClient client;
    private final Map<Long, Object> answers = new HashMap<>();
    private final Map<Long, List<SessionAction>> watched = new HashMap<>();
    private final List<SessionState> states = new ArrayList<>();
    private final List<Hold> lost = new ArrayList<>();
    private final CacheCheck cache;
    private long cachedReads;

    Actor(SimClient client, Story story) {
        this.client = client;
        this.cache = new CacheCheck(
                story.cluster().checks(), story.cluster().world().coverage(), "client " + client.hostId());
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
        return put(path, value, version, NO_LIMIT);
    }

    long put(String path, int value, long version, long timeoutNanos) {
        Operation put = new Operation.Put(new NodePath(path), new byte[] {(byte) value}, version);
        return call(id -> new SessionEvent.Submit(id, put, timeoutNanos));
    }

    long delete(String path) {
        Operation delete = new Operation.Delete(new NodePath(path), Operation.ANY_VERSION);
        return call(id -> new SessionEvent.Submit(id, delete, NO_LIMIT));
    }

    /** Reads a value and watches it, for one event. */
    long watch(String path) {
        return call(id -> new SessionEvent.Watch(id, new Query.GetValue(new NodePath(path)), NO_LIMIT));
    }

    long listen(String path) {
        return call(id -> new SessionEvent.Listen(id, new Query.GetValue(new NodePath(path))));
    }

    long listenChildren(String path) {
        return call(id -> new SessionEvent.Listen(id, new Query.ListChildren(new NodePath(path), "", 100)));
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

    Stream<SessionAction> actions(long watch) {
        return watched.getOrDefault(watch, List.of()).stream();
    }

    int fired(long watch) {
        return (int) actions(watch)
                .filter(SessionAction.WatchFired.class::isInstance)
                .count();
    }

    List<Answer> observed(long listening) {
        return actions(listening)
                .filter(SessionAction.Observed.class::isInstance)
                .map(action -> ((SessionAction.Observed) action).answer())
                .toList();
    }

    /** The names that a listener was told last. */
    List<String> names(long listening) {
        List<Answer> all = observed(listening);
        return !all.isEmpty() && all.get(all.size() - 1) instanceof Answer.Children children
                ? children.names()
                : List.of();
    }

    boolean isCertain(long listening) {
        List<SessionAction> all = watched.getOrDefault(listening, List.of());
        SessionAction last = all.isEmpty() ? null : all.get(all.size() - 1);
        return last instanceof SessionAction.Observed || last instanceof SessionAction.SureAgain;
    }

    boolean hasEnded(long watch) {
        return actions(watch).anyMatch(SessionAction.WatchEnded.class::isInstance);
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
    public void answeredFromCache(long callId, Answer answer) {
        cachedReads++;
        cache.cached((Answer.Value) answer);
        answered(callId, answer);
    }

    /** Reads that its cache has answered; each is checked against what is committed. */
    long cachedReads() {
        return cachedReads;
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
    public void watched(SessionAction action) {
        long id;
        if (action instanceof SessionAction.Watching watching) {
            id = watching.callId();
            answers.put(id, watching.answer());
        } else if (action instanceof SessionAction.WatchFired fired) {
            id = fired.callId();
        } else if (action instanceof SessionAction.Observed observed) {
            id = observed.listenId();
        } else if (action instanceof SessionAction.Unsure unsure) {
            id = unsure.listenId();
        } else if (action instanceof SessionAction.SureAgain again) {
            id = again.listenId();
        } else {
            id = ((SessionAction.WatchEnded) action).id();
        }
        watched.computeIfAbsent(id, any -> new ArrayList<>()).add(action);
    }

    @Override
    public void holdLost(Hold hold) {
        lost.add(hold);
    }

    @Override
    public void died() {}
}
