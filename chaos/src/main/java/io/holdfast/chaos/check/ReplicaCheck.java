package io.holdfast.chaos.check;

import io.holdfast.model.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that have applied the same entries have the same state (R2.2, O3), and a term has one leader; fed with what the
 * cell says of itself.
 *
 * <p><b>Thread:</b> any.
 */
public final class ReplicaCheck {
    private final Map<Long, String> digests = new HashMap<>();
    private final Map<Long, String> leaders = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private long compared;

    public synchronized void seen(Answer.Status status) {
        String leader = status.leader();
        if (leader != null) {
            String other = leaders.putIfAbsent(status.term(), leader);
            if (other != null && !other.equals(leader)) {
                findings.add(
                        new Finding("R2.4", "term " + status.term() + " had two leaders: " + other + " and " + leader));
            }
        }
        for (Answer.ReplicaInfo replica : status.replicas()) {
            if (!replica.digest().isEmpty()) {
                compare(replica);
            }
        }
    }

    private void compare(Answer.ReplicaInfo replica) {
        String other = digests.putIfAbsent(replica.appliedIndex(), replica.digest());
        if (other != null) {
            compared++;
            if (!other.equals(replica.digest())) {
                findings.add(new Finding(
                        "R2.2",
                        replica.replica() + " has digest " + replica.digest() + " at entry " + replica.appliedIndex()
                                + ", another replica had " + other));
            }
        }
    }

    /** Whether all replicas are there and have the same state at the same entry. */
    public static boolean agree(Answer.Status status, int replicas) {
        @Nullable String digest = null;
        long index = 0;
        if (status.replicas().size() != replicas) {
            return false;
        }
        for (Answer.ReplicaInfo replica : status.replicas()) {
            if (!replica.reachable() || replica.digest().isEmpty()) {
                return false;
            }
            if (digest == null) {
                digest = replica.digest();
                index = replica.appliedIndex();
            } else if (!digest.equals(replica.digest()) || index != replica.appliedIndex()) {
                return false;
            }
        }
        return true;
    }

    public synchronized List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Times that two digests of one entry were compared. */
    public synchronized long compared() {
        return compared;
    }

    /** Terms that had a leader, as far as was seen. */
    public synchronized int terms() {
        return leaders.size();
    }
}
