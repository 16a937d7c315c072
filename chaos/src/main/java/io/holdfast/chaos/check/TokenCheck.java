package io.holdfast.chaos.check;

import io.holdfast.chaos.history.History;
import io.holdfast.chaos.history.History.Fenced;
import io.holdfast.chaos.history.History.Grant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tokens of a lock are given out once and only rise (F3): a grant that was asked for after another one had been answered
 * has a higher token; and whoever still holds is not refused by the resource.
 */
public final class TokenCheck {
    private TokenCheck() {}

    public static List<Finding> check(History history) {
        List<Finding> findings = new ArrayList<>();
        Map<String, List<Grant>> byLock = new TreeMap<>();
        history.grants()
                .forEach(grant -> byLock.computeIfAbsent(grant.lock(), unseen -> new ArrayList<>())
                        .add(grant));
        byLock.forEach((lock, grants) -> {
            findings.addAll(twice(lock, grants));
            findings.addAll(falling(lock, grants));
        });
        for (Fenced write : history.fenced()) {
            if (!write.accepted() && write.heldAfter()) {
                findings.add(new Finding(
                        "F3",
                        write.client() + " held " + write.lock() + " with token " + write.token() + " at "
                                + write.nanos() + ", but the resource had seen a higher one"));
            }
        }
        return findings;
    }

    private static List<Finding> twice(String lock, List<Grant> grants) {
        List<Finding> findings = new ArrayList<>();
        Map<Long, Grant> seen = new HashMap<>();
        for (Grant grant : grants) {
            Grant other = seen.put(grant.token(), grant);
            if (other != null) {
                findings.add(new Finding(
                        "F3",
                        "token " + grant.token() + " of " + lock + " was given out twice: " + other + " and " + grant));
            }
        }
        return findings;
    }

    /** Sweeps over time: the highest token answered so far is a lower bound for what is asked for from now on. */
    private static List<Finding> falling(String lock, List<Grant> grants) {
        List<Grant> byCall = new ArrayList<>(grants);
        byCall.sort(Comparator.comparingLong(Grant::invokedNanos));
        List<Grant> byAnswer = new ArrayList<>(grants);
        byAnswer.sort(Comparator.comparingLong(Grant::returnedNanos));
        List<Finding> findings = new ArrayList<>();
        long highest = 0;
        int answered = 0;
        for (Grant grant : byCall) {
            while (answered < byAnswer.size() && byAnswer.get(answered).returnedNanos() < grant.invokedNanos()) {
                highest = Math.max(highest, byAnswer.get(answered).token());
                answered++;
            }
            if (grant.token() < highest) {
                findings.add(new Finding(
                        "F3",
                        lock + " was granted with a lower token than before, " + highest + " had been answered: "
                                + grant));
            }
        }
        return findings;
    }
}
