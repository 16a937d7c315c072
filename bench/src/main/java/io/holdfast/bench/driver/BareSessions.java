package io.holdfast.bench.driver;

import io.holdfast.client.grpc.GrpcTransport;
import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionConfig;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionMachine;
import io.holdfast.client.session.SessionState;
import io.holdfast.client.transport.ClientStream;
import io.holdfast.client.transport.StreamListener;
import io.holdfast.model.Limits;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Session machines of Holdfast's client library, all on the one thread of one transport: a client of its own for each would cost
 * the load more than the servers.
 *
 * <p><b>Thread:</b> any; the machines run on the transport's.
 */
final class BareSessions implements IdleSessions {
    /** So many are opened before the first of them has to be open. */
    private static final int AT_ONCE = 100;

    private static final long OPEN_SECONDS = 120;
    private static final long POLL_MILLIS = 20;

    private final GrpcTransport transport = new GrpcTransport();
    private final SessionConfig config;
    private final Random random = new Random();
    private final long startNanos = System.nanoTime();
    private final AtomicInteger safe = new AtomicInteger();
    private final List<Bare> all = new ArrayList<>();

    BareSessions(String endpoints, int count) throws InterruptedException {
        this.config = new SessionConfig(
                List.of(endpoints.split(",")),
                Limits.DEFAULT_SESSION_LEASE_MILLIS,
                SessionConfig.DEFAULT_GRACE_MILLIS,
                "idle");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(OPEN_SECONDS);
        while (all.size() < count || safe.get() < count) {
            if (System.nanoTime() > end) {
                close();
                throw new IllegalStateException("only " + safe.get() + " of " + count + " sessions are open");
            }
            while (all.size() < count && all.size() - safe.get() < AT_ONCE) {
                Bare bare = new Bare();
                all.add(bare);
                bare.post(new SessionEvent.OpenSession());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    @Override
    public int alive() {
        return safe.get();
    }

    @Override
    public void close() {
        transport.close();
    }

    private final class Bare {
        private final SessionMachine machine = new SessionMachine(config, bound -> random.nextLong(bound));
        private @Nullable ClientStream stream;
        private @Nullable ScheduledFuture<?> tick;
        private boolean isSafe;

        void post(SessionEvent event) {
            transport.executor().execute(() -> on(event));
        }

        private void on(SessionEvent event) {
            for (SessionAction action : machine.on(event, System.nanoTime() - startNanos)) {
                if (action instanceof SessionAction.OpenStream open) {
                    stream = transport.open(config.endpoints().get(open.endpointIndex()), new Ear(open.streamNo()));
                } else if (action instanceof SessionAction.Send send && stream != null) {
                    stream.send(send.frame());
                } else if (action instanceof SessionAction.CloseStream && stream != null) {
                    stream.close();
                } else if (action instanceof SessionAction.StateChanged changed) {
                    count(changed.state() == SessionState.SAFE);
                }
            }
            scheduleTick();
        }

        private void count(boolean nowSafe) {
            if (nowSafe != isSafe) {
                isSafe = nowSafe;
                safe.addAndGet(nowSafe ? 1 : -1);
            }
        }

        private void scheduleTick() {
            if (tick != null) {
                tick.cancel(false);
            }
            long next = machine.nextDeadlineNanos();
            if (next != Long.MAX_VALUE) {
                long delay = next - (System.nanoTime() - startNanos);
                tick = transport
                        .executor()
                        .schedule(() -> on(new SessionEvent.Tick()), Math.max(0, delay), TimeUnit.NANOSECONDS);
            }
        }

        private final class Ear implements StreamListener {
            private final long streamNo;

            Ear(long streamNo) {
                this.streamNo = streamNo;
            }

            @Override
            public void opened() {
                post(new SessionEvent.StreamOpened(streamNo));
            }

            @Override
            public void frame(ServerFrame frame) {
                post(new SessionEvent.StreamFrame(streamNo, frame));
            }

            @Override
            public void closed(String reason) {
                post(new SessionEvent.StreamClosed(streamNo, reason));
            }
        }
    }
}
