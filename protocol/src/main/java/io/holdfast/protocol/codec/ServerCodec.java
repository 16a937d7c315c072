package io.holdfast.protocol.codec;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.proto.AttachedFrame;
import io.holdfast.protocol.proto.DrainingFrame;
import io.holdfast.protocol.proto.EndingNoticeFrame;
import io.holdfast.protocol.proto.GrantedFrame;
import io.holdfast.protocol.proto.HeldFrame;
import io.holdfast.protocol.proto.HelloFrame;
import io.holdfast.protocol.proto.InterruptedFrame;
import io.holdfast.protocol.proto.KeepAliveAckFrame;
import io.holdfast.protocol.proto.OpenedFrame;
import io.holdfast.protocol.proto.PlaceRemovedFrame;
import io.holdfast.protocol.proto.PongFrame;
import io.holdfast.protocol.proto.ReadReplyFrame;
import io.holdfast.protocol.proto.RefusedFrame;
import io.holdfast.protocol.proto.ReplyFrame;
import io.holdfast.protocol.proto.ServerBody;
import io.holdfast.protocol.proto.ServerMessage;
import io.holdfast.protocol.proto.SessionEndedFrame;

/**
 * {@link ServerFrame} and its message.
 *
 * <p><b>Thread:</b> any.
 */
public final class ServerCodec {
    private ServerCodec() {}

    /** The message for a frame, in an envelope of this version. */
    public static ServerMessage encode(ServerFrame frame) {
        return ServerMessage.newBuilder()
                .setVersion(Fields.VERSION)
                .setBody(body(frame))
                .build();
    }

    /**
     * The frame in a message.
     *
     * @throws MalformedFrameException if any part of it is invalid
     */
    public static ServerFrame decode(ServerMessage message) throws MalformedFrameException {
        Fields.checkVersion(message.getVersion());
        return body(message.getBody());
    }

    static ServerBody body(ServerFrame frame) {
        ServerBody.Builder body = ServerBody.newBuilder();
        if (frame instanceof ServerFrame.Reply reply) {
            body.setReply(ReplyFrame.newBuilder()
                    .setRequestId(reply.requestId())
                    .setOutcome(OutcomeCodec.encode(reply.outcome())));
        } else if (frame instanceof ServerFrame.ReadReply reply) {
            body.setReadReply(readReply(reply));
        } else if (frame instanceof ServerFrame.WatchesFired fired) {
            body.setWatchesFired(WatchCodec.encode(fired));
        } else if (frame instanceof ServerFrame.Watched watched) {
            body.setWatched(WatchCodec.encode(watched));
        } else if (frame instanceof ServerFrame.KeepAliveAck ack) {
            body.setKeepAliveAck(KeepAliveAckFrame.newBuilder()
                    .setSendNumber(ack.sendNumber())
                    .setRenewed(ack.renewed())
                    .setEpoch(ack.epoch())
                    .setCacheRenewed(ack.cacheRenewed()));
        } else if (frame instanceof ServerFrame.Granted granted) {
            body.setGranted(GrantedFrame.newBuilder()
                    .setSession(granted.session().value())
                    .setPlace(granted.place().value())
                    .setToken(granted.token().value()));
        } else if (frame instanceof ServerFrame.PlaceRemoved removed) {
            body.setPlaceRemoved(PlaceRemovedFrame.newBuilder()
                    .setSession(removed.session().value())
                    .setPlace(removed.place().value())
                    .setToken(removed.token().value()));
        } else {
            streamFrame(body, frame);
        }
        return body.build();
    }

    private static ReadReplyFrame readReply(ServerFrame.ReadReply reply) {
        ReadReplyFrame.Builder message = ReadReplyFrame.newBuilder()
                .setCallId(reply.callId())
                .setAnswer(AnswerCodec.encode(reply.answer()))
                .setRevision(reply.revision());
        if (reply.fill() != null) {
            message.setFill(CacheCodec.encode(reply.fill()));
        }
        return message.build();
    }

    private static ServerFrame.ReadReply readReply(ReadReplyFrame reply) throws MalformedFrameException {
        return new ServerFrame.ReadReply(
                reply.getCallId(),
                AnswerCodec.decode(reply.getAnswer()),
                reply.getRevision(),
                reply.hasFill() ? CacheCodec.decode(reply.getFill()) : null);
    }

    private static void streamFrame(ServerBody.Builder body, ServerFrame frame) {
        if (frame instanceof ServerFrame.Hello hello) {
            body.setHello(HelloFrame.newBuilder()
                    .setCell(hello.cell())
                    .setDeployment(hello.deployment())
                    .setReplica(hello.replica()));
        } else if (frame instanceof ServerFrame.Opened opened) {
            body.setOpened(OpenedFrame.newBuilder()
                    .setSendNumber(opened.sendNumber())
                    .setSession(opened.session().value())
                    .setLeaseMillis(opened.leaseMillis())
                    .setEpoch(opened.epoch()));
        } else if (frame instanceof ServerFrame.Attached attached) {
            body.setAttached(AttachedFrame.newBuilder()
                    .setSession(attached.session().value())
                    .setAttachment(attached.attachment())
                    .setEpoch(attached.epoch()));
        } else if (frame instanceof ServerFrame.Refused refused) {
            body.setRefused(RefusedFrame.newBuilder()
                    .setId(refused.id())
                    .setCodeValue(refused.code().code())
                    .setDefinite(refused.definite())
                    .setMessage(refused.message()));
        } else if (frame instanceof ServerFrame.SessionEnded ended) {
            body.setSessionEnded(SessionEndedFrame.newBuilder()
                    .setSession(ended.session().value())
                    .setReason(ended.reason()));
        } else if (frame instanceof ServerFrame.Interrupted interrupted) {
            InterruptedFrame.Builder builder = InterruptedFrame.newBuilder().setReason(interrupted.reason());
            if (interrupted.leaderHint() != null) {
                builder.setLeaderHint(interrupted.leaderHint());
            }
            body.setInterrupted(builder);
        } else if (frame instanceof ServerFrame.EndingNotice notice) {
            body.setEndingNotice(EndingNoticeFrame.newBuilder()
                    .setEnding(EndingCodec.encode(notice.ending()))
                    .setReason(notice.reason()));
        } else if (frame instanceof ServerFrame.Invalidate invalidate) {
            body.setInvalidate(CacheCodec.encode(invalidate));
        } else if (frame instanceof ServerFrame.Held held) {
            body.setHeld(HeldFrame.newBuilder().setId(held.id()));
        } else if (frame instanceof ServerFrame.Pong) {
            body.setPong(PongFrame.getDefaultInstance());
        } else if (frame instanceof ServerFrame.Draining draining) {
            body.setDraining(
                    DrainingFrame.newBuilder().setReason(draining.reason()).setSpreadMillis(draining.spreadMillis()));
        } else {
            throw new AssertionError("frame without a message: " + frame.getClass());
        }
    }

    static ServerFrame body(ServerBody body) throws MalformedFrameException {
        switch (body.getFrameCase()) {
            case HELLO: {
                HelloFrame hello = body.getHello();
                return new ServerFrame.Hello(hello.getCell(), hello.getDeployment(), hello.getReplica());
            }
            case OPENED: {
                OpenedFrame opened = body.getOpened();
                return new ServerFrame.Opened(
                        opened.getSendNumber(),
                        new SessionId(opened.getSession()),
                        opened.getLeaseMillis(),
                        opened.getEpoch());
            }
            case ATTACHED: {
                AttachedFrame attached = body.getAttached();
                return new ServerFrame.Attached(
                        new SessionId(attached.getSession()), attached.getAttachment(), attached.getEpoch());
            }
            case KEEP_ALIVE_ACK: {
                KeepAliveAckFrame ack = body.getKeepAliveAck();
                return new ServerFrame.KeepAliveAck(
                        ack.getSendNumber(), ack.getRenewed(), ack.getEpoch(), ack.getCacheRenewed());
            }
            case REPLY: {
                ReplyFrame reply = body.getReply();
                return new ServerFrame.Reply(reply.getRequestId(), OutcomeCodec.decode(reply.getOutcome()));
            }
            case READ_REPLY:
                return readReply(body.getReadReply());
            case INVALIDATE:
                return CacheCodec.decode(body.getInvalidate());
            case HELD:
                return new ServerFrame.Held(body.getHeld().getId());
            case GRANTED: {
                GrantedFrame granted = body.getGranted();
                return new ServerFrame.Granted(
                        new SessionId(granted.getSession()),
                        Fields.path("granted.place", granted.getPlace()),
                        new FencingToken(granted.getToken()));
            }
            case PLACE_REMOVED: {
                PlaceRemovedFrame removed = body.getPlaceRemoved();
                return new ServerFrame.PlaceRemoved(
                        new SessionId(removed.getSession()),
                        Fields.path("place_removed.place", removed.getPlace()),
                        new FencingToken(removed.getToken()));
            }
            case WATCHES_FIRED:
                return WatchCodec.decode(body.getWatchesFired());
            case WATCHED:
                return WatchCodec.decode(body.getWatched());
            case REFUSED, SESSION_ENDED, INTERRUPTED:
                return notice(body);
            case ENDING_NOTICE: {
                EndingNoticeFrame notice = body.getEndingNotice();
                return new ServerFrame.EndingNotice(
                        EndingCodec.decode("ending_notice", notice.getEnding()), notice.getReason());
            }
            case PONG:
                return new ServerFrame.Pong();
            case DRAINING:
                return new ServerFrame.Draining(
                        body.getDraining().getReason(), body.getDraining().getSpreadMillis());
            case FRAME_NOT_SET:
                break;
        }
        throw Fields.missing("frame");
    }

    private static ServerFrame notice(ServerBody body) {
        if (body.hasRefused()) {
            RefusedFrame refused = body.getRefused();
            return new ServerFrame.Refused(
                    refused.getId(), ErrorCode.of(refused.getCodeValue()), refused.getDefinite(), refused.getMessage());
        }
        if (body.hasSessionEnded()) {
            SessionEndedFrame ended = body.getSessionEnded();
            return new ServerFrame.SessionEnded(new SessionId(ended.getSession()), ended.getReason());
        }
        InterruptedFrame interrupted = body.getInterrupted();
        return new ServerFrame.Interrupted(
                interrupted.getReason(), interrupted.hasLeaderHint() ? interrupted.getLeaderHint() : null);
    }
}
