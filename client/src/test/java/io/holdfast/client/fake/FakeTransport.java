package io.holdfast.client.fake;

import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.ClientTransport;
import io.holdfast.client.transport.StreamListener;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;

/** Connects clients of one process with a {@link FakeCell}; everything arrives at once, unless a test holds it back. */
public final class FakeTransport implements ClientTransport {
    private final FakeCell cell;
    private final ManualClock clock;
    private final List<Stream> streams = new ArrayList<>();
    /** Outlives any client, since several share it. */
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "fake-transport");
        thread.setDaemon(true);
        return thread;
    });

    private boolean refusing;
    /** Frames from clients that are swallowed. */
    private Predicate<ClientFrame> lostOnTheWayThere = frame -> false;
    /** Frames from the cell that are swallowed. */
    private Predicate<ServerFrame> lostOnTheWayBack = frame -> false;

    public FakeTransport(FakeCell cell, ManualClock clock) {
        this.cell = cell;
        this.clock = clock;
    }

    /** Runs something on the cell while no client talks to it. */
    public synchronized <T> T with(java.util.function.Function<FakeCell, T> work) {
        cell.at(clock.nanos());
        return work.apply(cell);
    }

    public synchronized void refuse(boolean all) {
        refusing = all;
        if (all) {
            for (Stream stream : List.copyOf(streams)) {
                stream.end("connection refused");
            }
        }
    }

    public synchronized void loseThere(Predicate<ClientFrame> lost) {
        lostOnTheWayThere = lost;
    }

    public synchronized void loseBack(Predicate<ServerFrame> lost) {
        lostOnTheWayBack = lost;
    }

    @Override
    public synchronized ClientStream open(String endpoint, StreamListener listener) {
        Stream stream = new Stream(listener);
        if (refusing) {
            listener.closed("connection refused");
            return stream;
        }
        streams.add(stream);
        listener.opened();
        stream.number = cell.connect(stream::fromCell);
        return stream;
    }

    @Override
    public ScheduledExecutorService executor() {
        return executor;
    }

    @Override
    public synchronized void close() {
        streams.clear();
    }

    private final class Stream implements ClientStream {
        private final StreamListener listener;
        private long number;

        Stream(StreamListener listener) {
            this.listener = listener;
        }

        void fromCell(ServerFrame frame) {
            if (!lostOnTheWayBack.test(frame)) {
                listener.frame(frame);
            }
        }

        @Override
        public void send(ClientFrame frame) {
            synchronized (FakeTransport.this) {
                if (streams.contains(this) && !lostOnTheWayThere.test(frame)) {
                    cell.at(clock.nanos());
                    cell.frame(number, frame);
                }
            }
        }

        @Override
        public void close() {
            synchronized (FakeTransport.this) {
                streams.remove(this);
                cell.disconnect(number);
            }
        }

        void end(String reason) {
            close();
            listener.closed(reason);
        }
    }
}
