package io.holdfast.client.loop;

import io.holdfast.client.session.LeaseEvent;
import io.holdfast.client.session.LeaseMachine;
import io.holdfast.client.session.RandomSource;
import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionConfig;
import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.StreamListener;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.HashMap;
import java.util.Map;

/** The machine of the leased locks with its streams. The loop's thread; stream listeners only put into the mailbox. */
final class LeaseSeat {
    private final SessionConfig config;
    private final ClientLoop loop;
    private final Map<Long, ClientStream> streams = new HashMap<>();
    final LeaseMachine machine;

    LeaseSeat(SessionConfig config, RandomSource random, ClientLoop loop) {
        this.config = config;
        this.loop = loop;
        this.machine = new LeaseMachine(config, random);
    }

    void on(LeaseEvent event, long now) {
        for (SessionAction action : machine.on(event, now)) {
            carryOut(action);
        }
        if (event instanceof LeaseEvent.StreamClosed closed) {
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
            loop.tellOfLease(action);
        }
    }

    /** Puts what a stream says into the mailbox. */
    private final class Mailing implements StreamListener {
        private final long streamNo;

        Mailing(long streamNo) {
            this.streamNo = streamNo;
        }

        @Override
        public void opened() {}

        @Override
        public void frame(ServerFrame frame) {
            loop.post(new LeaseEvent.StreamFrame(streamNo, frame));
        }

        @Override
        public void closed(String reason) {
            loop.post(new LeaseEvent.StreamClosed(streamNo, reason));
        }
    }
}
