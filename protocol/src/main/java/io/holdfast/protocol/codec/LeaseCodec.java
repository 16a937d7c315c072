package io.holdfast.protocol.codec;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.proto.LeaseAcquireCall;
import io.holdfast.protocol.proto.LeaseFound;
import io.holdfast.protocol.proto.LeaseFrame;
import io.holdfast.protocol.proto.LeaseFree;
import io.holdfast.protocol.proto.LeaseGranted;
import io.holdfast.protocol.proto.LeaseHeld;
import io.holdfast.protocol.proto.LeaseInspectCall;
import io.holdfast.protocol.proto.LeaseLost;
import io.holdfast.protocol.proto.LeaseOutcomeMessage;
import io.holdfast.protocol.proto.LeaseReleaseCall;
import io.holdfast.protocol.proto.LeaseReleased;
import io.holdfast.protocol.proto.LeaseRenewCall;
import io.holdfast.protocol.proto.LeaseRenewed;
import org.jspecify.annotations.Nullable;

/** What is about leased locks, and its messages. */
final class LeaseCodec {
    private LeaseCodec() {}

    static LeaseFrame encode(ClientFrame.Lease frame) {
        LeaseFrame.Builder message = LeaseFrame.newBuilder().setCallId(frame.callId());
        LeaseCall call = frame.call();
        if (call instanceof LeaseCall.Acquire acquire) {
            message.setAcquire(LeaseAcquireCall.newBuilder()
                    .setName(acquire.name().value())
                    .setOwner(acquire.owner().value())
                    .setLeaseMillis(acquire.leaseMillis())
                    .setRequestId(acquire.requestId()));
        } else if (call instanceof LeaseCall.Renew renew) {
            message.setRenew(LeaseRenewCall.newBuilder()
                    .setName(renew.name().value())
                    .setOwner(renew.owner().value())
                    .setToken(renew.token().value()));
        } else if (call instanceof LeaseCall.Release release) {
            message.setRelease(LeaseReleaseCall.newBuilder()
                    .setName(release.name().value())
                    .setOwner(release.owner().value())
                    .setToken(release.token().value()));
        } else {
            message.setInspect(LeaseInspectCall.newBuilder().setName(call.name().value()));
        }
        return message.build();
    }

    static ClientFrame.Lease decode(LeaseFrame message) throws MalformedFrameException {
        long id = Fields.id("lease.call_id", message.getCallId());
        try {
            return new ClientFrame.Lease(id, call(message));
        } catch (MalformedFrameException e) {
            throw e.inFrame(id);
        }
    }

    private static LeaseCall call(LeaseFrame message) throws MalformedFrameException {
        switch (message.getCallCase()) {
            case ACQUIRE:
                return acquire(message.getAcquire());
            case RENEW: {
                LeaseRenewCall renew = message.getRenew();
                return new LeaseCall.Renew(
                        name(renew.getName()), owner(renew.getOwner()), new FencingToken(renew.getToken()));
            }
            case RELEASE: {
                LeaseReleaseCall release = message.getRelease();
                return new LeaseCall.Release(
                        name(release.getName()), owner(release.getOwner()), new FencingToken(release.getToken()));
            }
            case INSPECT:
                return new LeaseCall.Inspect(name(message.getInspect().getName()));
            case CALL_NOT_SET:
                break;
        }
        throw Fields.missing("lease.call");
    }

    private static LeaseCall.Acquire acquire(LeaseAcquireCall message) throws MalformedFrameException {
        LeaseName name = name(message.getName());
        LeaseOwner owner = owner(message.getOwner());
        require("leaseMillis", LeaseCall.problemWithLease(message.getLeaseMillis()));
        require("requestId", LeaseCall.problemWithRequestId(message.getRequestId()));
        return new LeaseCall.Acquire(name, owner, message.getLeaseMillis(), message.getRequestId());
    }

    private static LeaseName name(String text) throws MalformedFrameException {
        require("name", LeaseName.problemWith(text));
        return new LeaseName(text);
    }

    private static LeaseOwner owner(String text) throws MalformedFrameException {
        require("owner", LeaseOwner.problemWith(text));
        return new LeaseOwner(text);
    }

    private static void require(String field, @Nullable String problem) throws MalformedFrameException {
        if (problem != null) {
            throw MalformedFrameException.invalid(field, problem);
        }
    }

    static LeaseOutcomeMessage encode(LeaseOutcome outcome) {
        LeaseOutcomeMessage.Builder message = LeaseOutcomeMessage.newBuilder();
        if (outcome instanceof LeaseOutcome.Granted granted) {
            message.setGranted(LeaseGranted.newBuilder()
                    .setToken(granted.token().value())
                    .setRemainingMillis(granted.remainingMillis()));
        } else if (outcome instanceof LeaseOutcome.Held held) {
            message.setHeld(
                    LeaseHeld.newBuilder().setOwner(held.owner().value()).setRetryAfterMillis(held.retryAfterMillis()));
        } else if (outcome instanceof LeaseOutcome.Renewed renewed) {
            message.setRenewed(LeaseRenewed.newBuilder().setRemainingMillis(renewed.remainingMillis()));
        } else if (outcome instanceof LeaseOutcome.Lost lost) {
            message.setLost(LeaseLost.newBuilder().setReason(lost.reason()));
        } else if (outcome instanceof LeaseOutcome.Found found) {
            message.setFound(LeaseFound.newBuilder()
                    .setName(found.name().value())
                    .setOwner(found.owner().value())
                    .setToken(found.token().value())
                    .setLeaseMillis(found.leaseMillis())
                    .setRemainingMillis(found.remainingMillis()));
        } else if (outcome instanceof LeaseOutcome.Released) {
            message.setReleased(LeaseReleased.getDefaultInstance());
        } else {
            message.setFree(LeaseFree.getDefaultInstance());
        }
        return message.build();
    }

    static LeaseOutcome decode(LeaseOutcomeMessage message) throws MalformedFrameException {
        switch (message.getOutcomeCase()) {
            case GRANTED:
                return new LeaseOutcome.Granted(
                        new FencingToken(message.getGranted().getToken()),
                        message.getGranted().getRemainingMillis());
            case HELD:
                return new LeaseOutcome.Held(
                        owner(message.getHeld().getOwner()), message.getHeld().getRetryAfterMillis());
            case RENEWED:
                return new LeaseOutcome.Renewed(message.getRenewed().getRemainingMillis());
            case RELEASED:
                return new LeaseOutcome.Released();
            case LOST:
                return new LeaseOutcome.Lost(message.getLost().getReason());
            case FOUND: {
                LeaseFound found = message.getFound();
                return new LeaseOutcome.Found(
                        name(found.getName()),
                        owner(found.getOwner()),
                        new FencingToken(found.getToken()),
                        found.getLeaseMillis(),
                        found.getRemainingMillis());
            }
            case FREE:
                return new LeaseOutcome.Free();
            case OUTCOME_NOT_SET:
                break;
        }
        throw Fields.missing("lease.outcome");
    }
}
