package io.holdfast.client.session;

import io.holdfast.protocol.frame.ClientFrame;
import java.util.ArrayList;
import java.util.List;

/** The actions of one turn of the machine, in order. Frames go to the present stream. */
final class Outbox {
    private List<SessionAction> actions = new ArrayList<>();
    private long streamNo;

    void useStream(long number) {
        streamNo = number;
    }

    void send(ClientFrame frame) {
        actions.add(new SessionAction.Send(streamNo, frame));
    }

    void add(SessionAction action) {
        actions.add(action);
    }

    List<SessionAction> take() {
        List<SessionAction> taken = actions;
        actions = new ArrayList<>();
        return taken;
    }
}
