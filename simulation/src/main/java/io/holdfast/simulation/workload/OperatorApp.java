package io.holdfast.simulation.workload;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.simulation.process.ClientApp;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.World;
import java.util.Map;
import java.util.TreeMap;

/**
 * An operator who breaks places and expires sessions at random: looks at the lists, which may be old when the order arrives,
 * asks once or several times, and now and then with another place's token.
 */
public final class OperatorApp implements ClientApp {
    private static final long TIMEOUT_NANOS = 5 * World.SECOND;

    private final SimClient client;
    private final Rng rng;
    private final long everyNanos;
    private final Map<Long, Operation> asked = new TreeMap<>();
    private boolean stopped;

    public OperatorApp(World world, SimClient client, long everyNanos) {
        this.client = client;
        this.rng = world.rng().split();
        this.everyNanos = everyNanos;
    }

    /** Asks for nothing new. */
    public void stop() {
        stopped = true;
    }

    @Override
    public void started() {
        client.later(rng.exponential(everyNanos), EventKind.WORKLOAD, this::look);
    }

    private void look() {
        if (stopped) {
            return;
        }
        Query query = rng.chance(0.7)
                ? new Query.ListPlaces(NodePath.ROOT, NodePath.ROOT, Limits.MAX_PAGE_ENTRIES)
                : new Query.ListSessions(new SessionId(0), Limits.MAX_PAGE_ENTRIES);
        client.step(new SessionEvent.Read(client.nextCallId(), query, TIMEOUT_NANOS));
        started();
    }

    @Override
    public void answered(long callId, Answer answer) {
        if (answer instanceof Answer.Places places && !places.places().isEmpty()) {
            Answer.PlaceInfo any = places.places().get(rng.below(places.places().size()));
            FencingToken token = any.token();
            if (rng.chance(0.1)) {
                token = places.places().get(rng.below(places.places().size())).token();
            }
            askLater(new Operation.BreakPlace(any.place(), token));
        } else if (answer instanceof Answer.Sessions sessions
                && !sessions.sessions().isEmpty()) {
            int any = rng.below(sessions.sessions().size());
            askLater(new Operation.EndSession(sessions.sessions().get(any).session()));
        }
    }

    private void askLater(Operation operation) {
        client.later(rng.pick(0L, rng.exponential(World.SECOND)), EventKind.WORKLOAD, () -> ask(operation));
    }

    private void ask(Operation operation) {
        if (!stopped) {
            long call = client.nextCallId();
            asked.put(call, operation);
            client.step(new SessionEvent.OneShot(call, operation, TIMEOUT_NANOS));
        }
    }

    @Override
    public void completed(long callId, Outcome outcome) {
        askAgain(callId);
    }

    @Override
    public void failed(long callId, Failure failure) {
        askAgain(callId);
    }

    /** Also when it is gone, or when nobody knows. */
    private void askAgain(long callId) {
        Operation operation = asked.remove(callId);
        if (operation != null && rng.chance(0.6)) {
            askLater(operation);
        }
    }

    @Override
    public void granted(long callId, Hold hold) {}

    @Override
    public void stateChanged(SessionState state) {}

    @Override
    public void holdLost(Hold hold) {}

    @Override
    public void died() {
        asked.clear();
    }
}
