package io.holdfast.client.session;

import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ServerFrame;
import org.jspecify.annotations.Nullable;

/**
 * What each frame from the present stream means.
 *
 * <p><b>Thread:</b> the machine's.
 */
final class FrameHandler {
    private final SessionMachine machine;
    private final Conversation conversation;
    private final Connection connection;
    private final Binding binding;
    private final LeaseClock lease;
    private final Requests requests;
    private final Calls calls;
    private final LockMachine locks;
    private final Watches watches;
    private final Endings endings;
    private final ValueCache cache;
    /** Identity of the deployment, from the first Hello. */
    private @Nullable String deployment;

    FrameHandler(SessionMachine machine, Conversation conversation, Parts parts) {
        this.machine = machine;
        this.conversation = conversation;
        this.connection = parts.connection();
        this.binding = parts.binding();
        this.lease = parts.lease();
        this.requests = parts.requests();
        this.calls = parts.calls();
        this.locks = parts.locks();
        this.watches = parts.watches();
        this.endings = parts.endings();
        this.cache = parts.cache();
    }

    void on(ServerFrame frame, long now) {
        if (frame instanceof ServerFrame.Pong) {
            connection.pong(now);
            return;
        }
        if (frame instanceof ServerFrame.Draining draining) {
            connection.pong(now); // it is there, and answers nothing by that
            conversation.draining(draining.spreadMillis(), now);
            return;
        }
        if (frame instanceof ServerFrame.Refused refused
                && refused.code() == ErrorCode.UNAVAILABLE
                && refused.definite()
                && !calls.isForShard(refused.id())) {
            connection.refusedForWantOfLeader(calls.sentAt(refused.id()), now);
        }
        connection.heard(now);
        if (frame instanceof ServerFrame.Reply reply) {
            reply(reply, now);
        } else if (frame instanceof ServerFrame.KeepAliveAck ack) {
            keepAliveAck(ack, now);
        } else if (frame instanceof ServerFrame.ReadReply reply) {
            readReply(reply, now);
        } else if (frame instanceof ServerFrame.WatchesFired fired) {
            if (binding.isOurs(fired.session())) {
                watches.fired(fired.watches(), fired.revision(), now);
            }
        } else if (frame instanceof ServerFrame.Watched watched) {
            connection.proven(now);
            watches.watched(watched.callId(), watched.revision(), now);
        } else if (frame instanceof ServerFrame.Granted granted) {
            if (binding.isOurs(granted.session())) { // R4.3: of the present session
                locks.grantEvent(granted.place(), granted.token(), now);
            }
        } else if (frame instanceof ServerFrame.PlaceRemoved removed) {
            if (binding.isOurs(removed.session())) {
                locks.placeGone(removed.place(), removed.token(), "it was taken away");
            }
        } else if (frame instanceof ServerFrame.Refused refused) {
            refused(refused, now);
        } else if (frame instanceof ServerFrame.Invalidate invalidate) {
            if (binding.isOurs(invalidate.session())) {
                cache.invalidate(invalidate);
            }
        } else if (frame instanceof ServerFrame.Held held) {
            requests.held(held.id());
        } else {
            onStreamFrame(frame, now);
        }
    }

    private void readReply(ServerFrame.ReadReply reply, long now) {
        if (!calls.isForShard(reply.callId())) {
            connection.proven(now);
        }
        if (reply.fill() != null) {
            cache.fill(reply.answer(), reply.fill(), now);
        }
        calls.answered(reply.callId(), reply.answer(), reply.revision(), now);
    }

    private void onStreamFrame(ServerFrame frame, long now) {
        if (frame instanceof ServerFrame.Hello hello) {
            hello(hello);
        } else if (frame instanceof ServerFrame.Opened opened) {
            if (binding.opened(opened.sendNumber(), opened.session(), opened.epoch())) {
                connection.proven(now);
                lease.opened(opened.leaseMillis());
                cache.bound(0, opened.epoch());
                if (cache.isOn()) {
                    lease.requestKeepAlive(); // only that brings a cache lease
                }
                machine.leaseConfirmed(now);
            }
        } else if (frame instanceof ServerFrame.Attached attached) {
            if (binding.attached(attached.session(), attached.attachment(), attached.epoch())) {
                connection.proven(now);
                conversation.attached();
            }
        } else if (frame instanceof ServerFrame.SessionEnded ended) {
            if (binding.toldOfEnd(ended.session()) || binding.isOurs(ended.session())) {
                machine.sessionEnded(ended.reason(), now);
            }
        } else if (frame instanceof ServerFrame.EndingNotice notice) {
            endingNotice(notice, now);
        } else if (frame instanceof ServerFrame.Interrupted interrupted) {
            conversation.interrupted(interrupted.reason(), interrupted.leaderHint(), now);
        }
    }

    private void endingNotice(ServerFrame.EndingNotice notice, long now) {
        if (!binding.isOurs(notice.ending().session())) {
            return;
        }
        if (notice.ending() instanceof Ending.OfSession ending) {
            machine.endedFromOutside(ending, notice.reason(), now);
        } else if (notice.ending() instanceof Ending.OfPlace ending) {
            locks.broken(ending, notice.reason());
        }
    }

    /** Another deployment under the same address knows nothing of our session (C115). */
    private void hello(ServerFrame.Hello hello) {
        boolean another = deployment != null && !deployment.equals(hello.deployment());
        if (another && binding.session() != null) {
            machine.expire("cell '" + hello.cell() + "' was set up anew: it is deployment " + hello.deployment()
                    + ", the session belonged to " + deployment);
        }
        if (another) {
            binding.anotherDeployment();
        }
        deployment = hello.deployment();
        connection.hello();
    }

    private void keepAliveAck(ServerFrame.KeepAliveAck ack, long now) {
        connection.proven(now);
        binding.epochSeen(ack.epoch());
        if (lease.confirmed(ack.sendNumber(), ack.renewed(), now)) {
            if (ack.cacheRenewed()) {
                cache.extendTo(lease.confirmedUntil(), ack.epoch());
            }
            machine.leaseConfirmed(now);
        }
    }

    private void reply(ServerFrame.Reply reply, long now) {
        connection.proven(now);
        long id = reply.requestId();
        if (Calls.owns(id)) {
            calls.reply(id, reply.outcome(), now);
            return;
        }
        if (reply.outcome() instanceof Outcome.Failed failed && failed.code() == ErrorCode.SESSION_EXPIRED) {
            requests.notApplied(id); // by this send; an earlier one may have been (R2.7)
            machine.sessionEnded(failed.message(), now);
            return;
        }
        requests.reply(id, reply.outcome(), now);
    }

    private void refused(ServerFrame.Refused refused, long now) {
        if (refused.id() == 0) {
            bindingRefused(refused, now);
        } else if (watches.isPage(refused.id())) {
            pageRefused(refused, now);
        } else if (isUnbound(refused) && calls.repeatOnceBound(refused.id())) {
            conversation.interrupted(refused.message(), null, now);
        } else if (Calls.owns(refused.id())) {
            calls.refused(refused.id(), refused.code(), refused.definite(), refused.message(), now);
        } else if (isUnbound(refused) && requests.repeatOnceBound(refused.id())) {
            conversation.interrupted(refused.message(), null, now);
        } else {
            requests.refused(refused.id(), refused.code(), refused.definite(), refused.message(), now);
        }
    }

    private void pageRefused(ServerFrame.Refused refused, long now) {
        watches.pageRefused(refused.code(), refused.definite(), refused.message(), now);
        if (isUnbound(refused)) {
            conversation.interrupted(refused.message(), null, now);
        }
    }

    /** The stream did not speak for our session when the request came. */
    private static boolean isUnbound(ServerFrame.Refused refused) {
        return refused.code() == ErrorCode.FORBIDDEN || refused.code() == ErrorCode.REPLACED;
    }

    private void bindingRefused(ServerFrame.Refused refused, long now) {
        ErrorCode code = refused.code();
        boolean passing = !refused.definite() || Requests.isPassing(code) || code == ErrorCode.REPLACED;
        if (passing || binding.isBound()) {
            conversation.interrupted(refused.message(), null, now);
        } else if (binding.isAsked() && binding.session() == null) {
            machine.openRefused(code, refused.message());
        } else if (binding.isAsked()) {
            machine.sessionEnded("the cell refused to attach it (" + code + "): " + refused.message(), now);
        }
    }
}
