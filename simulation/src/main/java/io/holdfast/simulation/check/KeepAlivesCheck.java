package io.holdfast.simulation.check;

import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * R3.5 as seen around one life of a front end: what it lists has arrived, not long ago and not listed before; what it confirms the
 * leader has confirmed, for the send that was listed.
 */
public final class KeepAlivesCheck {
    private static final long MAX_AGE_NANOS = 2_000_000_000L;

    private final Coverage coverage;
    private final String who;
    /** When what is not listed yet arrived, by the front end's clock. */
    private final Map<Send, Long> arrived = new HashMap<>();

    private final Map<Long, UpstreamFrame.KeepAlives> batches = new HashMap<>();
    /** What the leader has renewed and the client was not told yet. */
    private final Set<Send> renewed = new HashSet<>();

    private record Send(long stream, long number) {}

    public KeepAlivesCheck(Coverage coverage, String who) {
        this.coverage = coverage;
        this.who = who;
    }

    private Violation violation(String detail) {
        return new Violation("KeepAlives in batches (R3.5)", "the front end of " + who + " " + detail);
    }

    /** A client's frame arrives. */
    public void received(long stream, ClientFrame frame, long localNanos) {
        if (frame instanceof ClientFrame.KeepAlive keepAlive) {
            arrived.put(new Send(stream, keepAlive.sendNumber()), localNanos);
        }
    }

    /** The front end sends this to the leader. */
    public void sent(UpstreamFrame frame, long localNanos) {
        if (!(frame instanceof UpstreamFrame.KeepAlives batch)) {
            return;
        }
        coverage.seen(Seen.KEEPALIVE_BATCH);
        if (batch.heard().size() > 1) {
            coverage.seen(Seen.KEEPALIVES_TOGETHER);
        }
        for (UpstreamFrame.Heard heard : batch.heard()) {
            Long at = arrived.remove(new Send(heard.stream(), heard.sendNumber()));
            if (at == null) {
                throw violation("lists " + heard + ", which has not arrived or was listed before");
            }
            if (localNanos - at > MAX_AGE_NANOS) {
                throw violation("lists " + heard + ", which arrived " + (localNanos - at) / 1_000_000 + " ms ago");
            }
        }
        batches.put(batch.number(), batch);
    }

    /** The link to the leader is another one. */
    public void linked() {
        batches.clear();
        renewed.clear();
    }

    /** The front end hears this from the leader. */
    public void answered(DownstreamFrame frame) {
        if (frame instanceof DownstreamFrame.Deliver deliver
                && deliver.frame() instanceof ServerFrame.KeepAliveAck ack
                && ack.renewed()) {
            renewed.add(new Send(deliver.stream(), ack.sendNumber()));
        } else if (frame instanceof DownstreamFrame.KeepAlivesSettled settled) {
            UpstreamFrame.KeepAlives batch = batches.remove(settled.number());
            for (int i = 0; batch != null && i < batch.heard().size(); i++) {
                if (!settled.notRenewed().contains(i) && !settled.unbound().contains(i)) {
                    UpstreamFrame.Heard heard = batch.heard().get(i);
                    renewed.add(new Send(heard.stream(), heard.sendNumber()));
                }
            }
        }
    }

    /** The front end tells a client this. */
    public void told(long stream, ServerFrame frame) {
        if (frame instanceof ServerFrame.KeepAliveAck ack
                && ack.renewed()
                && !renewed.remove(new Send(stream, ack.sendNumber()))) {
            throw violation("confirms send " + ack.sendNumber() + " of stream " + stream + ", which no leader did");
        }
    }
}
