package io.holdfast.simulation.check;

import io.holdfast.model.LockMode;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks N1: at no instant of true time do two clients believe that they hold what only one may hold, or more than a semaphore has
 * permits; and the resource's side of it (oracle O1): whoever begins to believe has a token that a guard would take.
 *
 * <p>Belief begins only in an event of its client and may end by the mere passing of time, so it is enough to look at a
 * client's claims after each of its events.
 */
public final class Holders {
    private final World world;
    private final Map<String, Lock> locks = new TreeMap<>();

    private static final class Lock {
        final List<Claim> claims = new ArrayList<>();
        /** Highest token that a guard of this lock's resource has seen, of any and of exclusive holders. */
        long highestToken;

        long highestExclusiveToken;
    }

    public Holders(World world) {
        this.world = world;
    }

    public void add(Claim claim) {
        lock(claim).claims.add(claim);
        look(claim);
    }

    public void remove(Claim claim) {
        lock(claim).claims.remove(claim);
    }

    private Lock lock(Claim claim) {
        return locks.computeIfAbsent(claim.lock, unseen -> new Lock());
    }

    /** Looks at a claim after an event of its client. */
    public void look(Claim claim) {
        boolean believed = claim.isBelieved();
        if (believed && !claim.wasBelieved) {
            begin(claim);
        }
        claim.wasBelieved = believed;
    }

    /** Looks at everything; dear, so only now and then. */
    public void lookAtAll() {
        for (Lock lock : locks.values()) {
            for (Claim claim : lock.claims) {
                if (claim.isBelieved()) {
                    requireAlone(lock, claim);
                }
            }
        }
    }

    private void begin(Claim claim) {
        Lock lock = lock(claim);
        world.observe(EventKind.OBSERVED, claim.client, claim.token);
        requireAlone(lock, claim);
        long atLeast = claim.mode == LockMode.EXCLUSIVE ? lock.highestToken : lock.highestExclusiveToken;
        if (claim.token < atLeast) { // a permit has no order (ADR 0011); a semaphore has no exclusive token
            throw new Violation(
                    "tokens rise", claim + " begins to hold " + claim.lock + " after token " + atLeast + " was used");
        }
        lock.highestToken = Math.max(lock.highestToken, claim.token);
        if (claim.mode == LockMode.EXCLUSIVE) {
            lock.highestExclusiveToken = Math.max(lock.highestExclusiveToken, claim.token);
        }
    }

    /** Highest token of whoever began to believe, 0 if nobody did. */
    long highestToken(String lock) {
        Lock known = locks.get(lock);
        return known == null ? 0 : known.highestToken;
    }

    /** Somebody has seen that this token's place is held, and alone. */
    void requireNoneBelow(String lock, long token) {
        Lock known = locks.get(lock);
        if (known == null) {
            return;
        }
        for (Claim claim : known.claims) {
            if (claim.token < token && claim.isBelieved()) {
                throw new Violation(
                        "one leader", claim + " believes that it leads, after token " + token + " was seen to");
            }
        }
    }

    /** The cell takes this hold away, or its owner gave it back: nobody may believe in it any more. */
    void requireNotBelieved(String lock, long token) {
        Lock known = locks.get(lock);
        if (known == null) {
            return;
        }
        for (Claim claim : known.claims) {
            if (claim.token == token && claim.isBelieved()) {
                throw new Violation("lease", claim + " believes that it holds " + lock + ", and its lease was ended");
            }
        }
    }

    private void requireAlone(Lock lock, Claim claim) {
        int together = 1;
        for (Claim other : lock.claims) {
            if (other == claim || !other.isBelieved()) {
                continue;
            }
            if (claim.conflictsWith(other)) {
                throw new Violation(
                        "one holder", claim + " and " + other + " both believe that they hold " + claim.lock);
            }
            together++;
        }
        if (claim.mode == LockMode.PERMIT && together > claim.permits) {
            throw new Violation(
                    "permits",
                    together + " clients, " + claim + " among them, believe that they hold a permit of " + claim.lock
                            + ", which has " + claim.permits);
        }
        if (together > 1) {
            world.coverage()
                    .seen(claim.mode == LockMode.PERMIT ? Seen.HELD_PERMITS_TOGETHER : Seen.HELD_SHARED_TOGETHER);
        }
    }
}
