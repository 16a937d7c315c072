package io.holdfast.simulation.network;

import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.ArrayDeque;

/**
 * An ordered two-way stream between two processes.
 *
 * <p>What is sent arrives in order, or the stream ends. When it is cut, either direction may lose its tail and either side
 * may learn of it late. While its path is broken or it hangs, nothing arrives and nobody is told.
 */
public final class Stream {
    private static final Object END = new Object();

    private final SimNetwork network;
    private final World world;
    private final int id;
    private final Side opener;
    private final Side acceptor;
    private boolean hanging;
    private boolean cut;

    /** What is on its way to one side. */
    private static final class Side {
        final Host host;
        final StreamEnd end;
        final long life;
        final ArrayDeque<Object> onTheWay = new ArrayDeque<>();
        /** How many of {@link #onTheWay} would have arrived, but for a broken path. */
        int heldBack;

        long lastArrival;
        /** Rises when what is on its way is lost. */
        int generation;

        boolean over;

        Side(Host host, StreamEnd end) {
            this.host = host;
            this.end = end;
            this.life = host.life();
        }

        boolean lives() {
            return !over && host.isAlive() && host.life() == life;
        }

        void lose() {
            generation++;
            onTheWay.clear();
            heldBack = 0;
        }
    }

    Stream(SimNetwork network, int id, Host opener, StreamEnd endOfOpener, Host acceptor, StreamEnd endOfAcceptor) {
        this.network = network;
        this.world = network.world();
        this.id = id;
        this.opener = new Side(opener, endOfOpener);
        this.acceptor = new Side(acceptor, endOfAcceptor);
    }

    public int id() {
        return id;
    }

    /** Sends from the side that opened the stream. */
    public void sendFromOpener(Object frame) {
        send(opener, acceptor, frame);
    }

    /** Sends from the side that was opened to. */
    public void sendFromAcceptor(Object frame) {
        send(acceptor, opener, frame);
    }

    /** The opener closes: what it sent before still arrives; it hears nothing any more. */
    public void closeFromOpener() {
        close(opener, acceptor);
    }

    public void closeFromAcceptor() {
        close(acceptor, opener);
    }

    public boolean touches(Host host) {
        return opener.host == host || acceptor.host == host;
    }

    boolean isOver() {
        return !opener.lives() && !acceptor.lives();
    }

    private void send(Side from, Side to, Object frame) {
        if (from.over || to.over || cut) {
            return;
        }
        to.onTheWay.add(frame);
        schedule(from, to);
    }

    private void schedule(Side from, Side to) {
        long at = world.nowNanos() + network.latency(from.host.hostId(), to.host.hostId());
        to.lastArrival = Math.max(at, to.lastArrival);
        int generation = to.generation;
        world.at(to.lastArrival, EventKind.STREAM_FRAME, id, () -> arrive(from, to, generation));
    }

    private void arrive(Side from, Side to, int generation) {
        if (!to.lives() || to.generation != generation) {
            return;
        }
        if (hanging || !network.canReach(from.host.hostId(), to.host.hostId())) {
            to.heldBack++;
            return;
        }
        Object frame = to.onTheWay.remove();
        to.host.deliver(() -> {
            if (!to.lives()) {
                return;
            }
            if (frame == END) {
                to.over = true;
                to.end.closed();
            } else {
                to.end.received(frame);
            }
        });
    }

    private void close(Side from, Side to) {
        if (from.over) {
            return;
        }
        if (to.lives()) {
            send(from, to, END);
        }
        from.over = true;
        from.lose();
    }

    /** Nothing arrives any more on either side, and nobody is told, until {@link #goOn} or {@link #cut}. */
    public void hang() {
        hanging = true;
        world.coverage().seen(Seen.STREAM_HUNG);
    }

    public void goOn() {
        hanging = false;
        pathRestored();
    }

    /** The path works again: what was held back flows, in order. */
    void pathRestored() {
        release(opener, acceptor);
        release(acceptor, opener);
    }

    private void release(Side from, Side to) {
        if (hanging || to.heldBack == 0 || !network.canReach(from.host.hostId(), to.host.hostId())) {
            return;
        }
        int flowing = to.heldBack;
        to.heldBack = 0;
        for (int i = 0; i < flowing; i++) {
            schedule(from, to);
        }
    }

    /**
     * The connection breaks. What is on its way to a side is lost, or arrives before that side notices.
     *
     * @param noticeNanos how long it takes at most until the sides notice
     */
    public void cut(boolean loseTowardsOpener, boolean loseTowardsAcceptor, long noticeNanos) {
        if (cut) {
            return;
        }
        cut = true;
        world.coverage().seen(Seen.STREAM_CUT);
        cutSide(opener, loseTowardsOpener, noticeNanos);
        cutSide(acceptor, loseTowardsAcceptor, noticeNanos);
    }

    private void cutSide(Side side, boolean lose, long noticeNanos) {
        if (!side.lives()) {
            return;
        }
        long at = world.nowNanos() + world.rng().below(noticeNanos + 1);
        if (lose) {
            if (!side.onTheWay.isEmpty()) {
                world.coverage().seen(Seen.STREAM_TAIL_LOST);
            }
            side.lose();
        } else {
            at = Math.max(at, side.lastArrival);
        }
        world.at(
                at,
                EventKind.STREAM_END,
                id,
                () -> side.host.deliver(() -> {
                    if (side.lives()) {
                        side.over = true;
                        side.lose();
                        side.end.closed();
                    }
                }));
    }

    void hostDied(Host host) {
        Side dead = opener.host == host ? opener : acceptor;
        Side other = dead == opener ? acceptor : opener;
        if (other.lives()) {
            // what it sent may still arrive; if no news gets through, the other side has to find out by itself
            send(dead, other, END);
        }
        dead.over = true;
        dead.lose();
    }
}
