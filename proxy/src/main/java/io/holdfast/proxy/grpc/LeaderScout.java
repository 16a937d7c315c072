package io.holdfast.proxy.grpc;

import io.grpc.ManagedChannel;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.grpc.Backoff;
import io.holdfast.protocol.grpc.WireThreads;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one replica who leads, again and again: a new connection after each that ended or fell silent (C84, C116).
 *
 * <p><b>Thread:</b> the executor's.
 */
final class LeaderScout {
    private static final Logger log = LoggerFactory.getLogger(LeaderScout.class);

    private final String address;
    private final WireThreads threads;
    private final ScheduledExecutorService executor;
    private final BiConsumer<String, LeadersView> heard;
    private final Backoff backoff = new Backoff();

    private @Nullable ManagedChannel channel;
    private @Nullable Following following;
    private boolean stopped;

    /**
     * @param address {@code host:port} of a client port; an IPv6 host in brackets
     * @param heard is told the address with each view
     */
    LeaderScout(
            String address,
            WireThreads threads,
            ScheduledExecutorService executor,
            BiConsumer<String, LeadersView> heard) {
        this.address = address;
        this.threads = threads;
        this.executor = executor;
        this.heard = heard;
    }

    void start() {
        ManagedChannel fresh = threads.peerChannel(address);
        channel = fresh;
        following = Following.start(fresh, executor, new Following.Listener() {
            @Override
            public void heard(LeadersView view) {
                backoff.reset();
                heard.accept(address, view);
            }

            @Override
            public void ended(String reason) {
                log.debug("{} says no more who leads: {}", address, reason);
                fresh.shutdownNow();
                againLater();
            }
        });
    }

    private void againLater() {
        try {
            var unused = executor.schedule(
                    () -> {
                        if (!stopped) {
                            start();
                        }
                    },
                    backoff.nextDelayMillis(),
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            stopped = true;
        }
    }

    void stop() {
        stopped = true;
        Following present = following;
        if (present != null) {
            present.stop();
        }
        ManagedChannel open = channel;
        if (open != null) {
            open.shutdownNow();
        }
    }
}
