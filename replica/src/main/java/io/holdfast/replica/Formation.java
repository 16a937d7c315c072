package io.holdfast.replica;

import io.holdfast.raft.Membership;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.PeerFrame.Greeting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How replicas that never met agree, once, on who they are; until then none of them takes part in consensus (R8.2, C16).
 *
 * <p>A new replica greets all configured members. When it has heard all of them it records the list, incarnations
 * included: its irrevocable agreement. It greets on with that list, and starts when every member of the list has been
 * heard to agree to exactly the same list, or when a running member shows a membership that this replica belongs to.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>An incarnation agrees to at most one list in its life, and says so only when that is durable.
 *   <li>A list is formed only when all its members agreed to it. So any two formed lists that share an incarnation are the
 *       same list, and a wiped replica's old and new incarnation are never in two formed cells that share a member.
 *   <li>A replica that agreed to nothing joins a running cell only as a learner.
 * </ol>
 *
 * <p><b>Source:</b> ADR 0002.
 */
final class Formation {
    /** Where this replica stands. */
    enum State {
        /** Hearing the others. */
        GREETING,
        /** The agreement, or the membership to join, is being made durable. */
        RECORDING,
        /** Agreed, waiting for the others to agree. */
        AGREED,
        /** Consensus runs. */
        FORMED
    }

    private record Heard(ReplicaId id, SortedSet<ReplicaId> heard, long atNanos) {}

    /** A greeting older than this many intervals says nothing about who is there now. */
    private static final int FRESH_INTERVALS = 20;

    /** It waits this many intervals for the others before it says so. */
    private static final int PATIENCE_INTERVALS = 10;

    private final ReplicaSettings settings;
    private final ReplicaSeams seams;
    private final Notices notices;
    private final Consumer<Runnable> post;
    /** Of this replica's deployment. */
    private final int shards;

    private final long intervalNanos;
    private final Map<String, Heard> heard = new TreeMap<>();
    private SortedSet<ReplicaId> agreed = new TreeSet<>();
    private State state;
    private @Nullable Membership initial;
    private boolean sawRunningCell;
    private long nextGreetingNanos = Long.MIN_VALUE;
    /** When the first turn was. */
    private long startedNanos = Long.MAX_VALUE;

    /**
     * @param recorded what the identity store holds
     * @param hasData whether the log or a snapshot of any cell holds anything
     * @param post brings an action back to the loop
     * @param shards how many shards the deployment shall have, or has
     */
    Formation(
            ReplicaSettings settings,
            ReplicaSeams seams,
            Notices notices,
            FormationRecord recorded,
            boolean hasData,
            Consumer<Runnable> post,
            int shards) {
        this.settings = settings;
        this.seams = seams;
        this.notices = notices;
        this.post = post;
        this.shards = shards;
        this.intervalNanos = settings.raft().heartbeatNanos() * 5;
        this.state = State.GREETING;
        SortedSet<ReplicaId> members = new TreeSet<>(recorded.members());
        if (members.isEmpty()) {
            return;
        }
        if (!members.contains(settings.self())) {
            form(asLearnerOf(members));
        } else if (hasData) {
            // consensus ran here before, so all had agreed
            form(Membership.ofVoters(members));
        } else {
            agreed = members;
            state = State.AGREED;
        }
    }

    boolean isFormed() {
        return state == State.FORMED;
    }

    /** The membership that the cells start from; only once formed. */
    Membership initialMembership() {
        if (initial == null) {
            throw new IllegalStateException("not formed");
        }
        return initial;
    }

    long nextDeadlineNanos() {
        return isFormed() || state == State.RECORDING ? Long.MAX_VALUE : nextGreetingNanos;
    }

    /** Greets when it is time, and forms alone if there is nobody else. */
    void tick(long nowNanos) {
        if (isFormed() || nowNanos < nextGreetingNanos) {
            return;
        }
        startedNanos = Math.min(startedNanos, nowNanos);
        consider(nowNanos);
        greetAll(nowNanos);
    }

    private void greetAll(long nowNanos) {
        nextGreetingNanos = nowNanos + intervalNanos;
        for (String member : settings.members()) {
            if (!member.equals(settings.self().name())) {
                seams.peers().send(member, greeting(List.of()));
            }
        }
    }

    private Greeting greeting(List<ReplicaId> members) {
        return new Greeting(settings.self(), settings.deployment(), members, announced(), shards);
    }

    /** A full list is an agreement, so it is never announced before it is durable. */
    private List<ReplicaId> announced() {
        if (state == State.AGREED || state == State.FORMED) {
            return List.copyOf(agreed);
        }
        return List.of(settings.self());
    }

    /**
     * A greeting arrived.
     *
     * @param present members of this replica's cells as it knows them now; used once it is formed
     */
    void onGreeting(Greeting greeting, SortedSet<ReplicaId> present, long nowNanos) {
        ReplicaId from = greeting.from();
        if (!greeting.deployment().equals(settings.deployment())) {
            notices.say(FormationNotices.otherDeployment(from, greeting.deployment(), settings.deployment()), nowNanos);
        } else if (from.equals(settings.self())) {
            return;
        } else if (greeting.shards() != shards && !isFormed()) {
            notices.say(FormationNotices.otherShards(from, greeting.shards(), shards), nowNanos); // R7.4
        } else if (isFormed()) {
            if (greeting.members().isEmpty()) {
                seams.peers().send(from.name(), greeting(List.copyOf(present)));
            }
        } else if (!greeting.members().isEmpty()) {
            onRunningCell(new TreeSet<>(greeting.members()), nowNanos);
        } else {
            onUnformedPeer(greeting, nowNanos);
        }
    }

    /** A cell runs already: this replica belongs to it under exactly this incarnation, or not at all (R8.2, C16). */
    private void onRunningCell(SortedSet<ReplicaId> members, long nowNanos) {
        sawRunningCell = true;
        if (!belongsTo(members)) {
            notices.say(FormationNotices.notAMember(settings.self(), members), nowNanos);
        } else if (state == State.AGREED) {
            form(Membership.ofVoters(agreed));
        } else if (state == State.GREETING) {
            join(members);
        }
    }

    private boolean belongsTo(SortedSet<ReplicaId> members) {
        return members.contains(settings.self()); // R8.2: the incarnation, not the name
    }

    /** Added to a running cell after that was formed: it has promised nothing to anybody, so it starts as a learner. */
    private void join(SortedSet<ReplicaId> members) {
        SortedSet<ReplicaId> others = new TreeSet<>(members);
        // An earlier incarnation may still be a member of some cell; it is no other.
        others.removeIf(member -> member.name().equals(settings.self().name()));
        state = State.RECORDING;
        seams.identity().store(List.copyOf(others), () -> post.accept(() -> form(asLearnerOf(others))));
    }

    private Membership asLearnerOf(SortedSet<ReplicaId> others) {
        return new Membership(others, new TreeSet<>(List.of(settings.self())));
    }

    private void onUnformedPeer(Greeting greeting, long nowNanos) {
        ReplicaId from = greeting.from();
        if (!settings.members().contains(from.name())) {
            notices.say(
                    from + " greets but is not in this replica's member list " + settings.members()
                            + ": check the configurations",
                    nowNanos);
            return;
        }
        if (from.name().equals(settings.self().name())) {
            notices.say("two data directories claim the name " + from.name() + ": stop one of them", nowNanos);
            return;
        }
        boolean news = remember(greeting, nowNanos);
        State before = state;
        consider(nowNanos);
        if (news && !isFormed() && state == before) {
            greetAll(nowNanos);
        }
    }

    /** Keeps what the peer said; true if it differs from what it said before. */
    private boolean remember(Greeting greeting, long nowNanos) {
        ReplicaId from = greeting.from();
        Heard now = new Heard(from, new TreeSet<>(greeting.heard()), nowNanos);
        Heard before = heard.put(from.name(), now);
        if (state == State.AGREED && !agreed.contains(from)) {
            notices.say(FormationNotices.replacedMeanwhile(from, agreed), nowNanos);
        }
        return before == null || !before.id().equals(from) || !before.heard().equals(now.heard());
    }

    private void consider(long nowNanos) {
        if (state == State.GREETING) {
            agreeIfAllAreHeard(nowNanos);
        }
        if (state == State.AGREED && allAgreed()) {
            form(Membership.ofVoters(agreed));
        }
    }

    private void agreeIfAllAreHeard(long nowNanos) {
        SortedSet<ReplicaId> all = new TreeSet<>();
        all.add(settings.self());
        List<String> missing = new ArrayList<>();
        for (String member : settings.members()) {
            Heard peer = heard.get(member);
            if (peer != null && nowNanos - peer.atNanos() <= FRESH_INTERVALS * intervalNanos) {
                all.add(peer.id());
            } else if (!member.equals(settings.self().name())) {
                missing.add(member);
            }
        }
        if (hasHeardAll(all)) {
            state = State.RECORDING;
            seams.identity().store(List.copyOf(all), () -> post.accept(() -> agreed(all)));
        } else if (!sawRunningCell && nowNanos - startedNanos > PATIENCE_INTERVALS * intervalNanos) {
            notices.say("the cell is not formed yet: no word from " + missing, nowNanos);
        }
    }

    /** All, not a majority: a majority that a wiped replica belongs to can form a second cell (ADR 0002). */
    private boolean hasHeardAll(SortedSet<ReplicaId> all) {
        return all.size() == settings.members().size();
    }

    private void agreed(SortedSet<ReplicaId> members) {
        agreed = members;
        state = State.AGREED;
        nextGreetingNanos = Long.MIN_VALUE; // the next tick, in this turn, tells the others
    }

    /** Every other member was heard to agree to exactly this list; an agreement is for ever, so any greeting will do. */
    private boolean allAgreed() {
        for (ReplicaId member : agreed) {
            Heard peer = heard.get(member.name());
            boolean agrees =
                    peer != null && peer.id().equals(member) && peer.heard().equals(agreed);
            if (!agrees && !member.equals(settings.self())) {
                return false;
            }
        }
        return true;
    }

    private void form(Membership membership) {
        boolean justNow = state == State.AGREED;
        initial = membership;
        state = State.FORMED;
        if (justNow) {
            for (String member : settings.members()) {
                if (!member.equals(settings.self().name())) {
                    seams.peers().send(member, greeting(List.copyOf(agreed)));
                }
            }
        }
    }
}
