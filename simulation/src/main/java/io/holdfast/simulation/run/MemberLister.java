package io.holdfast.simulation.run;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.simulation.process.ClientApp;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.World;
import java.util.TreeSet;

/** Lists a group's members page by page, over and over. */
final class MemberLister implements ClientApp {
    /** So small that there are several pages. */
    private static final int PAGE = 2;

    private final SimClient client;
    private final NodePath group;
    private final TreeSet<Long> found = new TreeSet<>();
    private TreeSet<Long> members = new TreeSet<>();
    private boolean closed;

    MemberLister(SimClient client, NodePath group) {
        this.client = client;
        this.group = group;
    }

    /** Tokens of the members when they were last listed. */
    TreeSet<Long> members() {
        return members;
    }

    void close() {
        closed = true;
        client.step(new SessionEvent.Close(Long.MAX_VALUE));
    }

    @Override
    public void started() {
        ask(NodePath.ROOT);
    }

    private void ask(NodePath after) {
        if (!closed) {
            Query page = new Query.ListPlaces(group, after, PAGE);
            client.step(new SessionEvent.Read(client.nextCallId(), page, Long.MAX_VALUE));
        }
    }

    @Override
    public void answered(long callId, Answer answer) {
        Answer.Places page = (Answer.Places) answer;
        for (Answer.PlaceInfo place : page.places()) {
            if (place.held()) {
                found.add(place.token().value());
            }
        }
        if (page.more()) {
            ask(page.places().get(page.places().size() - 1).place());
            return;
        }
        members = new TreeSet<>(found);
        found.clear();
        client.later(World.SECOND, EventKind.WORKLOAD, () -> ask(NodePath.ROOT));
    }

    @Override
    public void granted(long callId, Hold hold) {}

    @Override
    public void completed(long callId, Outcome outcome) {}

    @Override
    public void failed(long callId, Failure failure) {}

    @Override
    public void stateChanged(SessionState state) {}

    @Override
    public void holdLost(Hold hold) {}

    @Override
    public void died() {}
}
