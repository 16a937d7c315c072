package io.holdfast.raft;

import java.util.Arrays;
import java.util.Collection;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The other members, as a leader sees them, and what a majority of the voters has reached.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> exactly the members in force, without this replica; strangers have no
 * place here, so nothing they say can count (C16).
 */
final class Peers {
    /** Entries that are with a peer in a moment. */
    private static final long LITTLE = 1_000;

    private final ReplicaState state;
    private final TreeMap<ReplicaId, Peer> peers = new TreeMap<>();

    Peers(ReplicaState state) {
        this.state = state;
        reconfigure();
    }

    /** The membership in force has changed: newcomers get a peer, the removed lose theirs at once (C91). */
    void reconfigure() {
        Membership membership = state.membership.current();
        peers.keySet().removeIf(id -> !membership.contains(id));
        TreeSet<ReplicaId> members = new TreeSet<>(membership.voters());
        members.addAll(membership.learners());
        members.remove(state.self);
        for (ReplicaId id : members) {
            if (!peers.containsKey(id)) {
                peers.put(id, new Peer(id, state.log.lastIndex() + 1, state.now()));
            }
        }
    }

    Collection<Peer> all() {
        return peers.values();
    }

    @Nullable
    Peer get(ReplicaId id) {
        return peers.get(id);
    }

    boolean isVoter(Peer peer) {
        return state.membership.current().isVoter(peer.id());
    }

    /**
     * The highest value that a majority of the voters has reached (thesis §3.5).
     *
     * @param own this replica's value; counts only if it is a voter itself (thesis §4.2.2)
     */
    long majorityReached(ToLongFunction<Peer> value, long own) {
        Membership membership = state.membership.current();
        long[] values = new long[membership.voters().size()];
        int count = 0;
        for (ReplicaId voter : membership.voters()) {
            Peer peer = peers.get(voter);
            if (peer != null) {
                values[count++] = value.applyAsLong(peer);
            } else if (voter.equals(state.self)) {
                values[count++] = own;
            }
        }
        Invariants.check(count == values.length, "%d of %d voters known", count, values.length);
        Arrays.sort(values);
        return values[count - membership.majority()];
    }

    /** The voter to lead next: one that was heard lately, and of those the one with most of the log; null if none. */
    @Nullable
    Peer best() {
        Peer best = null;
        for (Peer peer : peers.values()) {
            if (isVoter(peer) && (best == null || isBetter(peer, best))) {
                best = peer;
            }
        }
        return best;
    }

    private boolean isBetter(Peer peer, Peer than) {
        boolean heard = isHeard(peer);
        return heard == isHeard(than) ? peer.match() > than.match() : heard;
    }

    /** The voters that were heard lately and lack at most {@link #LITTLE} entries. */
    TreeSet<ReplicaId> caughtUp() {
        TreeSet<ReplicaId> ids = new TreeSet<>();
        for (Peer peer : peers.values()) {
            if (isVoter(peer) && isHeard(peer) && state.log.lastIndex() - peer.match() <= LITTLE) {
                ids.add(peer.id());
            }
        }
        return ids;
    }

    /** Whether it answered within the last few heartbeats. */
    boolean isHeard(Peer peer) {
        return state.now() - peer.contactNanos() < 3 * state.config.heartbeatNanos();
    }
}
