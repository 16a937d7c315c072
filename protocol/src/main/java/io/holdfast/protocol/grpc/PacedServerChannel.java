package io.holdfast.protocol.grpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections a few at a time, and only while its thread keeps up.
 *
 * <p>The thread that shakes hands with newcomers also carries consensus or everybody's frames (ADR 0006). When thousands come at once, they
 * would keep it so busy that heartbeats come late and the lead is lost, whereupon all of them come again. So after {@link #AT_ONCE}
 * connections nobody is accepted until a timer of {@link #PAUSE_MILLIS} has fired, and how late it fires says how much the thread has to
 * do: while that is more than {@link #MAX_LAG_MILLIS}, newcomers wait four times as long as it was late. They wait in the system's queue
 * of the port. So that a thread which is always late lets somebody in all the same, nobody is kept waiting longer than {@link
 * #MAX_WAIT_MILLIS} for the next few.
 *
 * <p>One that is closed again before the pause is over takes no place: after a storm the head of the queue is full of those that have given
 * up. Each connection takes a file, whether anybody speaks on it or not, so there are no more of them than the limit: the next one is closed
 * at once.
 *
 * <p><b>Thread:</b> its event loop's.
 *
 * <p><b>Source:</b> ADR 0021.
 */
final class PacedServerChannel extends NioServerSocketChannel {
    static final int AT_ONCE = 8;
    static final long PAUSE_MILLIS = 2;
    static final long MAX_LAG_MILLIS = 10;
    static final long MAX_WAIT_MILLIS = 100;

    private static final Logger log = LoggerFactory.getLogger(PacedServerChannel.class);

    private final int most;
    /** Connections that are open; any thread's. */
    private final AtomicInteger open = new AtomicInteger();

    private final Newcomers newcomers = new Newcomers(AT_ONCE);
    /** A timer runs. */
    private boolean pausing;
    /** When the first of those who wait now began to. */
    private long waitBeganNanos;

    /** @param most connections that may be open at a time */
    PacedServerChannel(int most) {
        this.most = most;
    }

    @Override
    protected int doReadMessages(List<Object> into) throws Exception {
        if (newcomers.isFull()) {
            return 0;
        }
        int known = into.size();
        int count = super.doReadMessages(into);
        for (int i = into.size() - 1; i >= known; i--) {
            newcomers.came();
            if (!letIn((Channel) into.get(i))) {
                into.remove(i);
            }
        }
        if (newcomers.isFull()) {
            config().setAutoRead(false);
            if (!pausing) {
                pausing = true;
                waitBeganNanos = System.nanoTime();
                resumeAfter(PAUSE_MILLIS);
            }
        }
        return count;
    }

    /** False if there are too many: it is closed. */
    private boolean letIn(Channel newcomer) {
        if (open.get() >= most) {
            newcomer.unsafe().closeForcibly();
            return false;
        }
        open.incrementAndGet();
        int round = newcomers.round();
        var unused = newcomer.closeFuture().addListener(closed -> {
            open.decrementAndGet();
            if (round == newcomers.round()) {
                postWent(round);
            }
        });
        return true;
    }

    private void postWent(int round) {
        try {
            eventLoop().execute(() -> {
                newcomers.went(round);
                if (!newcomers.isFull() && isOpen()) {
                    config().setAutoRead(true);
                }
            });
        } catch (RejectedExecutionException ended) {
            log.debug("the network has ended");
        }
    }

    private void resumeAfter(long millis) {
        long dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            var unused = eventLoop().schedule(() -> resumeOrWait(dueNanos), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            log.debug("the network has ended");
        }
    }

    private void resumeOrWait(long dueNanos) {
        long now = System.nanoTime();
        long wait = waitMillis(
                TimeUnit.NANOSECONDS.toMillis(now - dueNanos), TimeUnit.NANOSECONDS.toMillis(now - waitBeganNanos));
        if (wait > 0) {
            resumeAfter(wait);
        } else if (isOpen()) {
            pausing = false;
            newcomers.next();
            config().setAutoRead(true);
        }
    }

    /**
     * How much longer newcomers wait; 0 if the next few may come in.
     *
     * @param lagMillis how late the timer was
     * @param waitedMillis how long they have waited
     */
    static long waitMillis(long lagMillis, long waitedMillis) {
        if (lagMillis <= MAX_LAG_MILLIS || waitedMillis >= MAX_WAIT_MILLIS) {
            return 0;
        }
        return Math.min(4 * lagMillis, MAX_WAIT_MILLIS - waitedMillis);
    }
}
