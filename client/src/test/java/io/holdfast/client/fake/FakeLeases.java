package io.holdfast.client.fake;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseOutcome;
import java.util.TreeMap;
import java.util.TreeSet;

/** The leased locks of a {@link FakeCell}: slow and obviously right; a lease ends at the very moment of its deadline. */
final class FakeLeases {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private record Held(LeaseCall.Acquire by, FencingToken token, long deadlineNanos) {
        boolean is(io.holdfast.model.LeaseOwner owner, FencingToken other) {
            return by.owner().equals(owner) && token.equals(other);
        }
    }

    private final TreeMap<String, Held> holds = new TreeMap<>();
    private final TreeSet<String> freed = new TreeSet<>();
    private long tokens;

    LeaseOutcome call(LeaseCall call, long now) {
        holds.values().removeIf(held -> now >= held.deadlineNanos());
        Held held = holds.get(call.name().value());
        if (call instanceof LeaseCall.Acquire acquire) {
            boolean mine = held != null
                    && held.by().owner().equals(acquire.owner())
                    && held.by().requestId().equals(acquire.requestId());
            if (held != null && !mine) {
                return new LeaseOutcome.Held(held.by().owner(), 500);
            }
            return new LeaseOutcome.Granted(
                    hold(acquire, mine ? held.token() : new FencingToken(++tokens), now), acquire.leaseMillis());
        } else if (call instanceof LeaseCall.Renew renew) {
            if (held == null || !held.is(renew.owner(), renew.token())) {
                return new LeaseOutcome.Lost("not held");
            }
            hold(held.by(), held.token(), now);
            return new LeaseOutcome.Renewed(held.by().leaseMillis());
        } else if (call instanceof LeaseCall.Release release) {
            String key = release.name() + " " + release.owner() + " " + release.token();
            if (held != null && held.is(release.owner(), release.token())) {
                holds.remove(release.name().value());
                freed.add(key);
            }
            return freed.contains(key) ? new LeaseOutcome.Released() : new LeaseOutcome.Lost("not held");
        }
        return held == null
                ? new LeaseOutcome.Free()
                : new LeaseOutcome.Found(
                        held.by().name(),
                        held.by().owner(),
                        held.token(),
                        held.by().leaseMillis(),
                        (held.deadlineNanos() - now) / NANOS_PER_MILLI);
    }

    private FencingToken hold(LeaseCall.Acquire by, FencingToken token, long now) {
        holds.put(by.name().value(), new Held(by, token, now + by.leaseMillis() * NANOS_PER_MILLI));
        return token;
    }

    int size(long now) {
        holds.values().removeIf(held -> now >= held.deadlineNanos());
        return holds.size();
    }
}
