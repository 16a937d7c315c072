package io.holdfast.replica;

import io.holdfast.cell.CellStateMachine;
import io.holdfast.model.Answer;
import io.holdfast.model.Query;
import io.holdfast.raft.Membership;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.RaftStatus;
import io.holdfast.raft.ReplicaId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Answers reads at the leader: from the state, completed by what only the leader knows.
 *
 * <p><b>Thread:</b> the loop.
 */
final class CellAnswers {
    private final CellDriver driver;
    private final LoopShared shared;
    private final Deadlines deadlines;
    private final Supplier<Answer.Caches> caches;

    CellAnswers(CellDriver driver, LoopShared shared, Deadlines deadlines, Supplier<Answer.Caches> caches) {
        this.driver = driver;
        this.shared = shared;
        this.deadlines = deadlines;
        this.caches = caches;
    }

    Answer answer(Query query) {
        if (query instanceof Query.CellStatus || query instanceof Query.ShardStatus) { // routed here, so it is this one
            return status();
        }
        Answer answer = driver.machine().query(query);
        if (answer instanceof Answer.Sessions sessions) {
            return completed(sessions);
        }
        return answer instanceof Answer.Places places ? completed(places) : answer;
    }

    private Answer completed(Answer.Places places) {
        List<Answer.PlaceInfo> infos = new ArrayList<>();
        for (Answer.PlaceInfo info : places.places()) {
            infos.add(deadlines.endings().isEnding(info.place(), info.session()) ? info.beingEnded() : info);
        }
        return new Answer.Places(infos, places.more());
    }

    private Answer completed(Answer.Sessions sessions) {
        List<Answer.SessionInfo> infos = new ArrayList<>();
        for (Answer.SessionInfo info : sessions.sessions()) {
            boolean expiring = deadlines.isExpiring(info.session());
            long remaining = expiring ? 0 : deadlines.remainingMillis(info.session(), shared.now());
            boolean ending = deadlines.endings().isEnding(info.session());
            infos.add(info.withLease(Math.max(0, Math.min(remaining, info.leaseMillis())), expiring, ending));
        }
        return new Answer.Sessions(infos, sessions.more());
    }

    private Answer status() {
        RaftStatus raft = driver.core().status();
        CellStateMachine machine = driver.machine();
        List<Answer.ReplicaInfo> replicas = new ArrayList<>();
        for (ReplicaId member : driver.members()) {
            replicas.add(
                    member.equals(shared.settings().self())
                            ? new Answer.ReplicaInfo(
                                    member.name(), "leader", true, machine.appliedIndex(), LoopReports.digest(machine))
                            : peer(member, raft.membership()));
        }
        return new Answer.Status(
                driver.id().value(),
                RaftMessage.nameOf(raft.leader()),
                raft.term(),
                machine.revision(),
                machine.appliedIndex(),
                machine.stateBytes(),
                machine.nodeCount(),
                machine.sessionCount(),
                replicas,
                caches.get(),
                shared.shards(),
                List.of());
    }

    private Answer.ReplicaInfo peer(ReplicaId member, Membership membership) {
        long within = driver.raft().electionMaxNanos();
        boolean reachable = shared.contacts().isReachable(member, shared.now(), within);
        CellReport report = shared.contacts().reportOf(member, driver.id());
        String role = !reachable ? "unknown" : membership.isVoter(member) ? "follower" : "learner";
        return report == null
                ? new Answer.ReplicaInfo(member.name(), role, reachable, 0, "")
                : new Answer.ReplicaInfo(member.name(), role, reachable, report.appliedIndex(), report.digest());
    }
}
