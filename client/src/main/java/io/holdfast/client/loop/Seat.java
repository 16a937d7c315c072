package io.holdfast.client.loop;

import io.holdfast.client.session.RandomSource;
import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionConfig;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionMachine;
import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.StreamListener;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.HashMap;
import java.util.Map;

/** One session machine with its streams. The loop's thread; stream listeners only put into the mailbox. */
final class Seat {
    private final SessionConfig config;
    private final ClientLoop loop;
    private final Map<Long, ClientStream> streams = new HashMap<>();
    final SessionMachine machine;

    Seat(SessionConfig config, RandomSource random, ClientLoop loop) {
        this.config = config;
        this.loop = loop;
        this.machine = new SessionMachine(config, random);
    }

    void on(SessionEvent event, long now) {
        for (SessionAction action : machine.on(event, now)) {
            carryOut(action);
        }
        if (event instanceof SessionEvent.StreamClosed closed) {
            streams.remove(closed.streamNo());
        }
    }

    private void carryOut(SessionAction action) {
        if (action instanceof SessionAction.Send send) {
            ClientStream stream = streams.get(send.streamNo());
            if (stream != null) {
                stream.send(send.frame());
            }
        } else if (action instanceof SessionAction.OpenStream open) {
            String endpoint = config.endpoints().get(open.endpointIndex());
            streams.put(open.streamNo(), loop.transport().open(endpoint, new Mailing(open.streamNo())));
        } else if (action instanceof SessionAction.CloseStream close) {
            ClientStream stream = streams.remove(close.streamNo());
            if (stream != null) {
                stream.close();
            }
        } else {
            loop.tell(this, action);
        }
    }

    /** Puts what a stream says into the mailbox. */
    private final class Mailing implements StreamListener {
        private final long streamNo;

        Mailing(long streamNo) {
            this.streamNo = streamNo;
        }

        @Override
        public void opened() {
            loop.post(Seat.this, new SessionEvent.StreamOpened(streamNo));
        }

        @Override
        public void frame(ServerFrame frame) {
            loop.post(Seat.this, new SessionEvent.StreamFrame(streamNo, frame));
        }

        @Override
        public void closed(String reason) {
            loop.post(Seat.this, new SessionEvent.StreamClosed(streamNo, reason));
        }
    }
}
