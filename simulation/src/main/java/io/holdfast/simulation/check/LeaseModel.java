package io.holdfast.simulation.check;

import io.holdfast.cell.Command;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Outcome;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The records of leased locks, written from the rules alone, and what callers were told of them.
 *
 * <p><b>Checks:</b> one holder per name, a repeat is the same grant, all three fields must match, an expiry counts only in its term
 * (R2.5, R2.7, R7.1, R7.3); a hold ends only when nobody believes in it; and every answer to a single call was true at some moment
 * between the call and the answer (R2.6, R7.3).
 */
public final class LeaseModel {
    private final World world;
    private final Holders holders;
    private final Map<String, Held> held = new TreeMap<>();
    /** When each hold that ended did so, by all its fields. */
    private final Map<String, Long> endedAt = new TreeMap<>();
    /** When the last hold of a name by an owner ended. */
    private final Map<String, Long> ownerEndedAt = new TreeMap<>();
    /** Since when a name is free, and until when it was before; absent: always. */
    private final Map<String, Long> takenAt = new TreeMap<>();

    private final TreeSet<String> released = new TreeSet<>();
    /** When the lease of a hold was ended by the cell, by all its fields. */
    private final Map<String, Long> expiredAt = new TreeMap<>();
    /** Until when a caller was told that a hold lasts, by all its fields. */
    private final Map<String, Long> promised = new TreeMap<>();

    private record Held(LeaseCall.Acquire by, long token) {
        boolean is(LeaseOwner owner, FencingToken other) {
            return by.owner().equals(owner) && token == other.value();
        }
    }

    LeaseModel(World world, Holders holders) {
        this.world = world;
        this.holders = holders;
    }

    /** Leased locks that are held. */
    public int size() {
        return held.size();
    }

    private static String key(LeaseName name, LeaseOwner owner, long token) {
        return name + "\n" + owner + "\n" + token;
    }

    private static String key(LeaseName name, LeaseOwner owner) {
        return name + "\n" + owner;
    }

    // ---- the log

    /** Follows a command; what is wrong with its outcome, or null. A fresh grant's token is the caller's to check. */
    @Nullable
    String follow(Command command, long term, Outcome outcome) {
        if (command instanceof Command.AcquireLease acquire) {
            return acquire(acquire.call(), outcome);
        } else if (command instanceof Command.ReleaseLease release) {
            return release(release.call(), outcome);
        }
        return expire((Command.ExpireLease) command, term, outcome);
    }

    /** Whether the outcome of a command is a grant that was not there before; asked before it is followed. */
    boolean isFresh(Command command, Outcome outcome) {
        return command instanceof Command.AcquireLease acquire
                && outcome instanceof Outcome.OfLease lease
                && lease.lease() instanceof LeaseOutcome.Granted
                && !held.containsKey(acquire.call().name().value());
    }

    private @Nullable String acquire(LeaseCall.Acquire call, Outcome outcome) {
        Held present = held.get(call.name().value());
        if (outcome instanceof Outcome.Failed failed && failed.code() == ErrorCode.STATE_FULL) {
            return present == null ? null : "no room was needed";
        }
        LeaseOutcome lease = outcome instanceof Outcome.OfLease of ? of.lease() : null;
        if (present == null) {
            if (!(lease instanceof LeaseOutcome.Granted granted)) {
                return "a free lock was not granted";
            }
            held.put(call.name().value(), new Held(call, granted.token().value()));
            takenAt.put(call.name().value(), world.nowNanos());
            world.coverage().seen(Seen.LEASE_GRANTED);
            return null;
        }
        boolean repeat = present.by().owner().equals(call.owner())
                && present.by().requestId().equals(call.requestId())
                && !call.requestId().isEmpty();
        if (repeat) {
            return lease instanceof LeaseOutcome.Granted granted
                            && granted.token().value() == present.token()
                    ? null
                    : "the repeat of an acquire is not the same grant";
        }
        return lease instanceof LeaseOutcome.Held by
                        && by.owner().equals(present.by().owner())
                ? null
                : "a lock that is held was not refused";
    }

    private @Nullable String release(LeaseCall.Release call, Outcome outcome) {
        LeaseOutcome lease = outcome instanceof Outcome.OfLease of ? of.lease() : null;
        Held present = held.get(call.name().value());
        String key = key(call.name(), call.owner(), call.token().value());
        if (present != null && present.is(call.owner(), call.token())) {
            end(call.name(), present);
            released.add(key);
            world.coverage().seen(Seen.LEASE_RELEASED);
            return lease instanceof LeaseOutcome.Released ? null : "a hold was not released";
        }
        if (released.contains(key)) {
            world.coverage().seen(Seen.LEASE_RELEASE_REPEATED);
            return lease instanceof LeaseOutcome.Released ? null : "a repeated release was refused";
        }
        return lease instanceof LeaseOutcome.Lost ? null : "a release that names no hold was not refused";
    }

    private @Nullable String expire(Command.ExpireLease expire, long term, Outcome outcome) {
        Held present = held.get(expire.name().value());
        boolean applies = present != null && present.token() == expire.token().value() && expire.term() == term;
        if (present != null && applies) {
            String key = key(expire.name(), present.by().owner(), present.token());
            if (promised.getOrDefault(key, 0L) > world.nowNanos()) {
                return "it ended before what was promised of it was over";
            }
            end(expire.name(), present);
            expiredAt.put(key, world.nowNanos());
            world.coverage().seen(Seen.LEASE_EXPIRED);
        }
        return applies == (outcome instanceof Outcome.OfLease) ? null : "an expiry should have ended " + present;
    }

    private void end(LeaseName name, Held present) {
        held.remove(name.value());
        endedAt.put(key(name, present.by().owner(), present.token()), world.nowNanos());
        ownerEndedAt.put(key(name, present.by().owner()), world.nowNanos());
        holders.requireNotBelieved(name.value(), present.token());
    }

    // ---- what callers are told

    /** A single call was answered. */
    public void answered(LeaseCall call, LeaseOutcome outcome, long askedNanos) {
        String problem = problem(call, outcome, askedNanos);
        if (problem != null) {
            throw new Violation("leases", problem + ": " + call + " was answered " + outcome);
        }
    }

    private @Nullable String problem(LeaseCall call, LeaseOutcome outcome, long asked) {
        LeaseName name = call.name();
        if (call instanceof LeaseCall.Acquire acquire) {
            if (outcome instanceof LeaseOutcome.Held by) {
                world.coverage().seen(Seen.LEASE_REFUSED);
                boolean since = wasHeldSince(name, by.owner(), asked);
                boolean inRange = by.retryAfterMillis() >= 0 && by.retryAfterMillis() <= acquire.leaseMillis();
                return since && inRange ? null : "nobody held it then, or the wait is out of range";
            }
            return outcome instanceof LeaseOutcome.Granted granted
                    ? heldSince(name, acquire.owner(), granted.token(), granted.remainingMillis(), asked)
                    : "no answer to an acquire";
        } else if (call instanceof LeaseCall.Renew renew) {
            if (outcome instanceof LeaseOutcome.Renewed renewed) {
                long remaining = renewed.remainingMillis();
                String problem = heldSince(name, renew.owner(), renew.token(), remaining, asked);
                return problem == null ? promised(name, renew.owner(), renew.token(), remaining, asked) : problem;
            }
            return lost(name, renew.owner(), renew.token(), outcome);
        } else if (call instanceof LeaseCall.Release release) {
            boolean done = outcome instanceof LeaseOutcome.Released;
            return done
                    ? isReleased(name, release) ? null : "it is not released"
                    : lost(name, release.owner(), release.token(), outcome);
        }
        if (outcome instanceof LeaseOutcome.Found found) {
            return heldSince(name, found.owner(), found.token(), found.remainingMillis(), asked);
        }
        Held present = held.get(name.value());
        return present == null || takenAt.getOrDefault(name.value(), 0L) >= asked ? null : "it was held all the time";
    }

    private boolean isReleased(LeaseName name, LeaseCall.Release release) {
        return released.contains(key(name, release.owner(), release.token().value()));
    }

    private boolean wasHeldSince(LeaseName name, LeaseOwner owner, long asked) {
        Held present = held.get(name.value());
        boolean now = present != null && present.by().owner().equals(owner);
        return now || ownerEndedAt.getOrDefault(key(name, owner), -1L) >= asked;
    }

    private @Nullable String heldSince(
            LeaseName name, LeaseOwner owner, FencingToken token, long remainingMillis, long asked) {
        Held present = held.get(name.value());
        boolean now = present != null && present.is(owner, token);
        boolean since = now || endedAt.getOrDefault(key(name, owner, token.value()), -1L) >= asked;
        if (!since) {
            return "it was not held by " + owner + " with token " + token;
        }
        if (remainingMillis < 0 || remainingMillis > 60_000) {
            return "what remains is out of range"; // C118
        }
        return null;
    }

    /** R1.2, R7.2: counted from when it was asked for, and less by what the clocks' rates may differ. */
    private @Nullable String promised(
            LeaseName name, LeaseOwner owner, FencingToken token, long remainingMillis, long asked) {
        long until = asked + remainingMillis * World.MILLI * 98 / 100;
        String key = key(name, owner, token.value());
        promised.merge(key, until, Math::max);
        Long expired = expiredAt.get(key);
        return expired == null || expired >= until ? null : "it had ended, or was about to";
    }

    private @Nullable String lost(LeaseName name, LeaseOwner owner, FencingToken token, LeaseOutcome outcome) {
        Held present = held.get(name.value());
        boolean stands = present != null && present.is(owner, token);
        return outcome instanceof LeaseOutcome.Lost && !stands ? null : "it is held, and was called lost";
    }
}
