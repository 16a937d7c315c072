package io.holdfast.simulation.check;

import io.holdfast.model.Ending;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * R3.6 as seen on the leaders' links: from the moment that a leader asks a client to let go of something, it confirms no
 * KeepAlive on that stream until the client has answered, or what was to end has ended.
 */
public final class StoppedStreams {
    private final ReferenceModel model;
    private final Coverage coverage;
    private final Map<Key, Set<Ending>> asked = new HashMap<>();
    /** Whose session was renewed in the present turn, though it had been asked to let go of something. */
    private final Map<Key, Set<Ending>> confirmed = new LinkedHashMap<>();

    /** Batches of KeepAlives that are not answered; by number in the place of the stream. */
    private final Map<Key, UpstreamFrame.KeepAlives> batches = new HashMap<>();

    /** @param end of the link, different in each life of a replica */
    private record Key(Object end, long link, long stream) {}

    StoppedStreams(ReferenceModel model, Coverage coverage) {
        this.model = model;
        this.coverage = coverage;
    }

    /** A leader sends this. */
    public void sent(Object end, long link, DownstreamFrame frame) {
        if (frame instanceof DownstreamFrame.KeepAlivesSettled settled) {
            settled(end, link, settled);
        }
        if (!(frame instanceof DownstreamFrame.Deliver deliver)) {
            return;
        }
        Key key = new Key(end, link, deliver.stream());
        if (deliver.frame() instanceof ServerFrame.EndingNotice notice) {
            asked.computeIfAbsent(key, first -> new LinkedHashSet<>()).add(notice.ending());
        } else if (deliver.frame() instanceof ServerFrame.KeepAliveAck ack && ack.renewed()) {
            confirmed(key);
        }
    }

    private void settled(Object end, long link, DownstreamFrame.KeepAlivesSettled settled) {
        UpstreamFrame.KeepAlives batch = batches.remove(new Key(end, link, settled.number()));
        for (int i = 0; batch != null && i < batch.heard().size(); i++) {
            if (!settled.notRenewed().contains(i) && !settled.unbound().contains(i)) {
                confirmed(new Key(end, link, batch.heard().get(i).stream()));
            }
        }
    }

    private void confirmed(Key key) {
        Set<Ending> open = asked.get(key);
        if (open != null) {
            confirmed.put(key, new LinkedHashSet<>(open)); // not what it is asked for afterwards
        }
    }

    /**
     * A replica has made a turn, and the model knows all that it applied: what was confirmed in it may have gone in the same turn, before
     * the confirmation.
     */
    void turned() {
        confirmed.forEach((key, open) -> {
            open.removeIf(ending -> !model.exists(ending));
            if (!open.isEmpty()) {
                throw new Violation(
                        "confirmations stop (R3.6)", "a KeepAlive is confirmed although " + open + " is to end");
            }
            Set<Ending> all = asked.get(key);
            if (all != null && all.removeIf(ending -> !model.exists(ending)) && all.isEmpty()) {
                asked.remove(key);
            }
        });
        confirmed.clear();
    }

    /** A leader receives this. */
    public void received(Object end, long link, UpstreamFrame frame) {
        if (frame instanceof UpstreamFrame.StreamClosed closed) {
            asked.remove(new Key(end, link, closed.stream()));
        } else if (frame instanceof UpstreamFrame.KeepAlives batch) {
            batches.put(new Key(end, link, batch.number()), batch);
        } else if (frame instanceof UpstreamFrame.Forward forward
                && forward.frame() instanceof ClientFrame.EndingAck ack
                && answered(new Key(end, link, forward.stream()), ack.ending())) {
            coverage.seen(ack.ending() instanceof Ending.OfPlace ? Seen.LET_GO_OF_PLACE : Seen.LET_GO_OF_SESSION);
        }
    }

    private boolean answered(Key key, Ending ending) {
        Set<Ending> open = asked.get(key);
        return open != null && open.remove(ending);
    }

    /** The lease of a session ran out, or it has let go of everything. */
    void expired(long session) {
        for (Set<Ending> open : asked.values()) {
            if (open.removeIf(ending -> ending.session().value() == session)) {
                coverage.seen(Seen.ENDED_UNHEARD);
            }
        }
    }
}
