package io.holdfast.raft;

import io.holdfast.raft.RaftOutput.Role;
import org.jspecify.annotations.Nullable;

/**
 * Moves a replica between follower, pre-candidate, candidate and leader; the only writer of its role.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) {@link #leading()} is non-null exactly while the role is LEADER, and
 * belongs to the present term: no soft state survives a re-election (R2.4); (2) at most one leader per term is followed.
 *
 * <p><b>Source:</b> thesis figure 3.3.
 */
final class Roles {
    private final ReplicaState state;
    private final ElectionTimer timer;
    private final Campaign campaign;
    private final DiskPatience diskPatience;
    private @Nullable Leadership leading;
    private @Nullable Resignation resignation;

    Roles(ReplicaState state) {
        this.state = state;
        this.timer = new ElectionTimer(state);
        this.campaign = new Campaign(state, this);
        this.diskPatience = new DiskPatience(state);
    }

    ElectionTimer timer() {
        return timer;
    }

    Campaign campaign() {
        return campaign;
    }

    DiskPatience diskPatience() {
        return diskPatience;
    }

    /** What this replica does as leader, or null. */
    @Nullable
    Leadership leading() {
        return leading;
    }

    /** Someone is in a newer term; who leads it is not known. */
    void joinTerm(long term) {
        endLeadership();
        state.raiseTerm(term);
        becomeFollower(null);
    }

    /** A leader of this or a newer term has spoken. */
    void follow(ReplicaId from, long term) {
        if (term > state.term()) {
            joinTerm(term);
        }
        // Election safety: at most one leader per term (thesis §3.4).
        Invariants.check(state.role() != Role.LEADER, "a second leader in term %d", term, 0);
        ReplicaId known = state.leader();
        Invariants.check(known == null || known.equals(from), "two leaders in term %d", term, 0);
        becomeFollower(from);
        timer.heardFromLeader();
    }

    /** Another replica got this one's vote: an attempt of our own would only be in its way. */
    void supportCandidate() {
        if (state.role() == Role.PRE_CANDIDATE) {
            becomeFollower(null);
        }
        timer.restart();
        timer.voted();
    }

    /** Gives up the lead without a newer term. */
    void resign(Resignation reason) {
        resignation = reason;
        stepDown();
    }

    /** Why this replica last gave up the lead by itself; null if it never did. */
    @Nullable
    Resignation resignation() {
        return resignation;
    }

    /** Whatever it was, a follower again, without a newer term. */
    void stepDown() {
        endLeadership();
        becomeFollower(null);
        timer.restart();
    }

    private void becomeFollower(@Nullable ReplicaId leader) {
        if (state.role() != Role.FOLLOWER) {
            campaign.end();
        }
        state.setRole(Role.FOLLOWER, leader);
    }

    void becomePreCandidate() {
        state.setRole(Role.PRE_CANDIDATE, null);
    }

    void becomeCandidate() {
        state.raiseTerm(state.term() + 1);
        state.voteFor(state.self);
        timer.voted();
        state.setRole(Role.CANDIDATE, null);
    }

    void becomeLeader() {
        Invariants.check(state.self.equals(state.hardState().votedFor()), "only a candidate is elected");
        campaign.end();
        timer.won();
        state.setRole(Role.LEADER, state.self);
        leading = new Leadership(state, this);
    }

    private void endLeadership() {
        if (leading != null) {
            leading.end();
            leading = null;
            timer.restart();
        }
    }

    /** Does what is due; call after every input. */
    void passTime() {
        if (leading != null) {
            leading.passTime();
        } else if (state.now() >= timer.deadlineNanos()) {
            timer.restart();
            campaign.timedOut();
        }
    }

    long nextDeadlineNanos() {
        return leading != null ? leading.nextDeadlineNanos() : timer.deadlineNanos();
    }
}
