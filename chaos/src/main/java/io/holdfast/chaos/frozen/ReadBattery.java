package io.holdfast.chaos.frozen;

import io.holdfast.chaos.grpc.RawStream;
import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several connections to the client port of one replica, over which reads of one value are fired. A connection that is closed is
 * opened again.
 *
 * <p><b>Thread:</b> one fires; answers come on threads of the network.
 */
final class ReadBattery implements AutoCloseable {
    /** Below what a front end takes unanswered of one stream (2,048): more would only wait in this process. */
    private static final int MAX_UNANSWERED = 1_900;

    private final String address;
    private final Query query;
    private final ReadLedger ledger;
    private final List<Line> lines = new ArrayList<>();
    private int turn;

    ReadBattery(String address, NodePath path, ReadLedger ledger) {
        this.address = address;
        this.query = new Query.GetValue(path);
        this.ledger = ledger;
    }

    /** Opens so many more connections. */
    void widen(int more) {
        for (int i = 0; i < more; i++) {
            lines.add(new Line());
        }
    }

    /** One read, over the next connection in turn that has room. */
    void fire() {
        for (int tried = 0; tried < lines.size(); tried++) {
            int next = turn++ % lines.size();
            if (lines.get(next).isClosed()) {
                lines.set(next, new Line());
            }
            if (lines.get(next).fire()) {
                return;
            }
        }
    }

    @Override
    public void close() {
        lines.forEach(Line::close);
    }

    private final class Line implements RawStream.Listener {
        private final AtomicInteger unanswered = new AtomicInteger();
        private final RawStream stream = new RawStream(address, this);
        private volatile boolean closed;

        boolean isClosed() {
            return closed;
        }

        boolean fire() {
            if (unanswered.get() >= MAX_UNANSWERED) {
                return false;
            }
            unanswered.incrementAndGet();
            stream.send(new ClientFrame.Read(ledger.ask(), query));
            return true;
        }

        @Override
        public void frame(ServerFrame frame) {
            if (frame instanceof ServerFrame.ReadReply reply) {
                unanswered.decrementAndGet();
                if (reply.answer() instanceof Answer.Value value) {
                    ledger.answered(reply.callId(), value.version());
                } else {
                    ledger.refused(reply.callId());
                }
            } else if (frame instanceof ServerFrame.Refused refused) {
                unanswered.decrementAndGet();
                ledger.refused(refused.id());
            } else if (frame instanceof ServerFrame.Interrupted) {
                unanswered.set(0); // what was in flight has an unknown fate, and most of it no answer
            }
        }

        @Override
        public void closed(String reason) {
            closed = true;
        }

        void close() {
            stream.close();
        }
    }
}
