package io.holdfast.client;

import io.holdfast.client.session.LeaseEvent;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Leased locks call by call: nothing is renewed, nothing is remembered. For tools and gateways; applications take {@link Leases}.
 *
 * <p>Who holds must count the lease from when the call was <em>sent</em>, stop a little before it ends (1 % of it), and give the token to
 * the resource.
 *
 * <p><b>Thread:</b> any. Each call is repeated by the library until it is answered or the call timeout is over; then it throws {@link
 * UnreachableException} if nothing was done and {@link UnknownOutcomeException} if something may have been: repeat it as it was, an
 * acquire under its request id.
 */
public final class RawLeases {
    private static final CallKind<LeaseAnswer> ACQUIRE = kind(outcome -> {
        if (outcome instanceof LeaseOutcome.Granted granted) {
            return new LeaseAnswer.Granted(granted.token(), Duration.ofMillis(granted.remainingMillis()));
        }
        LeaseOutcome.Held held = (LeaseOutcome.Held) outcome;
        return new LeaseAnswer.Held(held.owner().value(), Duration.ofMillis(held.retryAfterMillis()));
    });
    private static final CallKind<Optional<Duration>> RENEW = kind(outcome -> outcome instanceof LeaseOutcome.Lost
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(((LeaseOutcome.Renewed) outcome).remainingMillis())));
    private static final CallKind<Boolean> RELEASE = kind(outcome -> outcome instanceof LeaseOutcome.Released);
    private static final CallKind<Optional<LeaseInfo>> INSPECT = kind(outcome -> {
        if (outcome instanceof LeaseOutcome.Free) {
            return Optional.empty();
        }
        LeaseOutcome.Found found = (LeaseOutcome.Found) outcome;
        return Optional.of(new LeaseInfo(
                found.name().value(),
                found.owner().value(),
                found.token(),
                Duration.ofMillis(found.leaseMillis()),
                Duration.ofMillis(found.remainingMillis())));
    });

    private final CallDesk desk;

    RawLeases(CallDesk desk) {
        this.desk = desk;
    }

    /**
     * The same calls, which the cell may take so long to answer; the client's call timeout by default.
     *
     * @throws RefusedException unless it is more than 0 and at most 24 h
     */
    public RawLeases callTimeout(Duration timeout) {
        return new RawLeases(desk.withTimeout(HoldfastClientBuilder.checkedTimeout("call timeout", timeout)));
    }

    private static <T> CallKind<T> kind(Function<LeaseOutcome, T> convert) {
        return CallDesk.kind(Outcome.OfLease.class, outcome -> convert.apply(outcome.lease()));
    }

    /** Milliseconds of a lease, in its range (C103). */
    static long checkedMillis(Duration lease) {
        long millis = Durations.toMillis(lease);
        Failures.checked(() -> {
            String problem = LeaseCall.problemWithLease(millis);
            if (problem != null) {
                throw new IllegalArgumentException(problem);
            }
            return millis;
        });
        return millis;
    }

    /**
     * Asks for a lock once.
     *
     * @param lease 1 to 60 s
     * @param requestId names this attempt: whoever repeats it, also another process, gets the same grant as long as it lasts, which is
     *     a renewal too. Use each for one attempt only. Null for one of the library's own: then what the caller gives up is given back
     * @throws RefusedException for a name, owner, length or request id out of its range
     */
    public LeaseAnswer acquire(String name, String owner, Duration lease, @Nullable String requestId) {
        return desk.callStarted(ACQUIRE, acquiring(name, owner, lease, requestId));
    }

    public CompletableFuture<LeaseAnswer> acquireAsync(
            String name, String owner, Duration lease, @Nullable String requestId) {
        return desk.asyncStarted(ACQUIRE, acquiring(name, owner, lease, requestId));
    }

    /**
     * Gives a hold a full lease again.
     *
     * @return how long it lasts, counted from when the caller asked; empty if it is lost
     */
    public Optional<Duration> renew(String name, String owner, FencingToken token) {
        return desk.callStarted(RENEW, renewing(name, owner, token));
    }

    public CompletableFuture<Optional<Duration>> renewAsync(String name, String owner, FencingToken token) {
        return desk.asyncStarted(RENEW, renewing(name, owner, token));
    }

    /**
     * Gives a hold up; may be repeated.
     *
     * @return false if it is lost: it was not given up, by this call or an earlier one
     */
    public boolean release(String name, String owner, FencingToken token) {
        return desk.callStarted(RELEASE, releasing(name, owner, token));
    }

    public CompletableFuture<Boolean> releaseAsync(String name, String owner, FencingToken token) {
        return desk.asyncStarted(RELEASE, releasing(name, owner, token));
    }

    /** Who holds; empty if nobody does. */
    public Optional<LeaseInfo> inspect(String name) {
        return desk.callStarted(INSPECT, inspecting(name));
    }

    public CompletableFuture<Optional<LeaseInfo>> inspectAsync(String name) {
        return desk.asyncStarted(INSPECT, inspecting(name));
    }

    private CallDesk.Start acquiring(String name, String owner, Duration lease, @Nullable String requestId) {
        long millis = checkedMillis(lease);
        if (requestId != null && requestId.isEmpty()) {
            throw new RefusedException(ErrorCode.INVALID, "requestId is empty; leave it out instead");
        }
        String id = requestId == null ? Leases.newRequestId() : requestId;
        return ask(
                Failures.checked(() -> new LeaseCall.Acquire(new LeaseName(name), new LeaseOwner(owner), millis, id)),
                requestId == null);
    }

    private CallDesk.Start renewing(String name, String owner, FencingToken token) {
        return ask(
                Failures.checked(() -> new LeaseCall.Renew(new LeaseName(name), new LeaseOwner(owner), token)), false);
    }

    private CallDesk.Start releasing(String name, String owner, FencingToken token) {
        return ask(
                Failures.checked(() -> new LeaseCall.Release(new LeaseName(name), new LeaseOwner(owner), token)),
                false);
    }

    private CallDesk.Start inspecting(String name) {
        return ask(Failures.checked(() -> new LeaseCall.Inspect(new LeaseName(name))), false);
    }

    private CallDesk.Start ask(LeaseCall call, boolean giveBack) {
        LongFunction<LeaseEvent> event = id -> new LeaseEvent.Ask(id, call, desk.timeoutNanos(), giveBack);
        return listener -> desk.loop.leaseCall(event, listener);
    }
}
