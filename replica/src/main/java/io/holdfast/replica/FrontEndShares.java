package io.holdfast.replica;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How much of what a front end sends for many clients at once waits for leadership checks: no more than a front end that keeps to the
 * protocol has on its way (R8.4, ADR 0020).
 *
 * <p><b>Thread:</b> the loop.
 */
final class FrontEndShares {
    /** Batches of KeepAlives of one link. */
    static final int MAX_BATCHES = 16;
    /** Pages of claims of one link. */
    static final int MAX_PAGES = 1;

    /** By link; of those of which nothing waits there is nothing. */
    private final Map<Long, Integer> batches = new TreeMap<>();

    private final Map<Long, Integer> pages = new TreeMap<>();

    /** Counts what begins to wait; why it may not, or null. */
    @Nullable
    String objectionTo(ReadQueue.Waiting next) {
        if (next instanceof ReadQueue.KeepAliveBatch batch) {
            return enters(batches, batch.link(), MAX_BATCHES) ? null : MAX_BATCHES + " batches wait for an answer";
        } else if (next instanceof ReadQueue.WatchClaims claims) {
            return enters(pages, claims.link(), MAX_PAGES) ? null : "one page of claims at a time: another one waits";
        }
        return null;
    }

    /** It waits no longer. */
    void leaves(ReadQueue.Waiting next) {
        if (next instanceof ReadQueue.KeepAliveBatch batch) {
            leaves(batches, batch.link());
        } else if (next instanceof ReadQueue.WatchClaims claims) {
            leaves(pages, claims.link());
        }
    }

    private static boolean enters(Map<Long, Integer> counts, long link, int most) {
        if (counts.getOrDefault(link, 0) >= most) {
            return false;
        }
        counts.merge(link, 1, Integer::sum);
        return true;
    }

    private static void leaves(Map<Long, Integer> counts, long link) {
        counts.computeIfPresent(link, (any, count) -> count == 1 ? null : count - 1);
    }
}
