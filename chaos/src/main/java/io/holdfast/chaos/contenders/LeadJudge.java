package io.holdfast.chaos.contenders;

import io.holdfast.chaos.check.Finding;
import io.holdfast.chaos.check.HoldCheck;
import io.holdfast.chaos.check.TokenCheck;
import io.holdfast.chaos.history.History;
import io.holdfast.chaos.history.History.Grant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether everybody who waited led once, in the order of the queue, one at a time, and was woken by one event each.
 *
 * <p><b>Source:</b> F1, F3, N1, N9, R4.2.
 */
final class LeadJudge {
    private LeadJudge() {}

    /**
     * Events that the replicas counted between the first resignation and the last lead.
     *
     * @param grants told to waiters
     * @param watches that fired
     */
    record Events(long grants, long watches) {}

    /** @param queue tokens of the places that waited, in the order in which they were made */
    static List<Finding> judge(List<Long> queue, History history, Events events) {
        List<Finding> findings = new ArrayList<>();
        history.unexpected().forEach(what -> findings.add(new Finding("F4", what)));
        findings.addAll(HoldCheck.check(history));
        findings.addAll(TokenCheck.check(history));
        findings.addAll(once(queue, history.grants()));
        findings.addAll(inOrder(history.grants()));
        if (events.grants() != queue.size()) {
            findings.add(new Finding(
                    "N9",
                    events.grants() + " grant events were sent for " + queue.size() + " hand-overs; one each is due"));
        }
        if (events.watches() != 0) {
            findings.add(new Finding(
                    "N9", events.watches() + " watches fired, though nobody needs one to wait for an election"));
        }
        return findings;
    }

    private static List<Finding> once(List<Long> queue, List<Grant> grants) {
        Set<Long> waited = new HashSet<>(queue);
        Map<Long, Integer> leads = new HashMap<>();
        grants.forEach(grant -> leads.merge(grant.token(), 1, Integer::sum));
        List<Finding> findings = new ArrayList<>();
        long never = queue.stream().filter(token -> !leads.containsKey(token)).count();
        if (never > 0) {
            findings.add(new Finding("F1", never + " of " + queue.size() + " candidates never led"));
        }
        leads.forEach((token, times) -> {
            if (times > 1) {
                findings.add(new Finding("N1", "the candidate with token " + token + " led " + times + " times"));
            }
            if (!waited.contains(token)) {
                findings.add(new Finding("F3", "somebody led with token " + token + ", which nobody waited with"));
            }
        });
        return findings;
    }

    /** A lead is noted before it is resigned, so the next one is noted later. */
    private static List<Finding> inOrder(List<Grant> grants) {
        List<Grant> byTime = new ArrayList<>(grants);
        byTime.sort(Comparator.comparingLong(Grant::returnedNanos));
        List<Finding> findings = new ArrayList<>();
        for (int i = 1; i < byTime.size(); i++) {
            if (byTime.get(i).token() <= byTime.get(i - 1).token()) {
                findings.add(new Finding(
                        "F1",
                        "token " + byTime.get(i).token() + " led after token "
                                + byTime.get(i - 1).token()));
            }
        }
        return findings;
    }
}
