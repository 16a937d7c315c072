package io.holdfast.protocol.codec;

import io.holdfast.model.Limits;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.proto.AttachFrame;
import io.holdfast.protocol.proto.ClientBody;
import io.holdfast.protocol.proto.ClientMessage;
import io.holdfast.protocol.proto.EndingAckFrame;
import io.holdfast.protocol.proto.KeepAliveFrame;
import io.holdfast.protocol.proto.OneShotFrame;
import io.holdfast.protocol.proto.OpenFrame;
import io.holdfast.protocol.proto.PingFrame;
import io.holdfast.protocol.proto.ReadFrame;
import io.holdfast.protocol.proto.RequestFrame;

/**
 * {@link ClientFrame} and its message; {@link ServerCodec} is its twin.
 *
 * <p><b>Thread:</b> any.
 */
public final class ClientCodec {
    private ClientCodec() {}

    /** The message for a frame, in an envelope of this version. */
    public static ClientMessage encode(ClientFrame frame) {
        return ClientMessage.newBuilder()
                .setVersion(Fields.VERSION)
                .setBody(body(frame))
                .build();
    }

    /**
     * The frame in a message.
     *
     * @throws MalformedFrameException if any part of it is invalid; refusable if it is known which frame is meant
     */
    public static ClientFrame decode(ClientMessage message) throws MalformedFrameException {
        Fields.checkVersion(message.getVersion());
        return body(message.getBody());
    }

    static ClientBody body(ClientFrame frame) {
        ClientBody.Builder body = ClientBody.newBuilder();
        if (frame instanceof ClientFrame.KeepAlive keepAlive) {
            body.setKeepAlive(KeepAliveFrame.newBuilder()
                    .setSendNumber(keepAlive.sendNumber())
                    .setPatienceMillis(keepAlive.patienceMillis()));
        } else if (frame instanceof ClientFrame.Request request) {
            body.setRequest(RequestFrame.newBuilder()
                    .setRequestId(request.requestId())
                    .setWatermark(request.watermark())
                    .setOperation(OperationCodec.encode(request.operation()))
                    .setWaitMillis(request.waitMillis()));
        } else if (frame instanceof ClientFrame.Read read) {
            body.setRead(ReadFrame.newBuilder()
                    .setCallId(read.callId())
                    .setQuery(QueryCodec.encode(read.query()))
                    .setWatch(read.watch())
                    .setCacheable(read.cacheable()));
        } else if (frame instanceof ClientFrame.Watch watch) {
            body.setWatch(WatchCodec.encode(watch));
        } else if (frame instanceof ClientFrame.OneShot oneShot) {
            body.setOneShot(OneShotFrame.newBuilder()
                    .setCallId(oneShot.callId())
                    .setOperation(OperationCodec.encode(oneShot.operation()))
                    .setWaitMillis(oneShot.waitMillis()));
        } else if (frame instanceof ClientFrame.Attach attach) {
            body.setAttach(AttachFrame.newBuilder()
                    .setSession(attach.session().value())
                    .setSecret(Fields.wrap(attach.secret()))
                    .setAttachment(attach.attachment()));
        } else if (frame instanceof ClientFrame.Open open) {
            body.setOpen(OpenFrame.newBuilder()
                    .setSendNumber(open.sendNumber())
                    .setSecret(Fields.wrap(open.secret()))
                    .setLeaseMillis(open.leaseMillis())
                    .setClientName(open.clientName())
                    .setCaching(open.caching()));
        } else if (frame instanceof ClientFrame.EndingAck ack) {
            body.setEndingAck(EndingAckFrame.newBuilder().setEnding(EndingCodec.encode(ack.ending())));
        } else if (frame instanceof ClientFrame.Lease lease) {
            body.setLease(LeaseCodec.encode(lease));
        } else if (frame instanceof ClientFrame.CacheAck ack) {
            body.setCacheAck(CacheCodec.encode(ack));
        } else if (frame instanceof ClientFrame.Ping) {
            body.setPing(PingFrame.getDefaultInstance());
        } else {
            throw new AssertionError("frame without a message: " + frame.getClass());
        }
        return body.build();
    }

    static ClientFrame body(ClientBody body) throws MalformedFrameException {
        switch (body.getFrameCase()) {
            case KEEP_ALIVE:
                return new ClientFrame.KeepAlive(
                        body.getKeepAlive().getSendNumber(), body.getKeepAlive().getPatienceMillis());
            case REQUEST:
                return request(body.getRequest());
            case ONE_SHOT:
                return oneShot(body.getOneShot());
            case READ:
                return read(body.getRead());
            case WATCH:
                return WatchCodec.decode(body.getWatch());
            case OPEN:
                return open(body.getOpen());
            case ATTACH:
                return attach(body.getAttach());
            case ENDING_ACK:
                return new ClientFrame.EndingAck(
                        EndingCodec.decode("ending_ack", body.getEndingAck().getEnding()));
            case LEASE:
                return LeaseCodec.decode(body.getLease());
            case PING:
                return new ClientFrame.Ping();
            case CACHE_ACK:
                return CacheCodec.decode(body.getCacheAck());
            case FRAME_NOT_SET:
                break;
        }
        throw Fields.missing("frame");
    }

    private static ClientFrame request(RequestFrame request) throws MalformedFrameException {
        long id = Fields.id("request.request_id", request.getRequestId());
        try {
            return new ClientFrame.Request(
                    id,
                    request.getWatermark(),
                    OperationCodec.decode(request.getOperation()),
                    waitMillis("request.wait_millis", request.getWaitMillis()));
        } catch (MalformedFrameException e) {
            throw e.inFrame(id);
        }
    }

    private static ClientFrame oneShot(OneShotFrame oneShot) throws MalformedFrameException {
        long id = Fields.id("one_shot.call_id", oneShot.getCallId());
        try {
            return new ClientFrame.OneShot(
                    id,
                    OperationCodec.decode(oneShot.getOperation()),
                    waitMillis("one_shot.wait_millis", oneShot.getWaitMillis()));
        } catch (MalformedFrameException e) {
            throw e.inFrame(id);
        }
    }

    private static long waitMillis(String field, long millis) throws MalformedFrameException {
        if (millis < 0) {
            throw MalformedFrameException.invalid(field, "must be 0 or more, not " + millis);
        }
        return millis;
    }

    private static ClientFrame read(ReadFrame read) throws MalformedFrameException {
        long id = Fields.id("read.call_id", read.getCallId());
        try {
            Query query = QueryCodec.decode(read.getQuery());
            return new ClientFrame.Read(id, query, watch(read, query), cacheable(read, query));
        } catch (MalformedFrameException e) {
            throw e.inFrame(id);
        }
    }

    private static long watch(ReadFrame read, Query query) throws MalformedFrameException {
        long watch = read.getWatch();
        boolean fits = watch == 0 || (watch > 0 && query instanceof Query.Watchable);
        if (!fits) {
            throw MalformedFrameException.invalid(
                    "read.watch", watch > 0 ? "there are no watches for this query" : "numbers start at 1");
        }
        return watch;
    }

    private static boolean cacheable(ReadFrame read, Query query) throws MalformedFrameException {
        boolean fits = !read.getCacheable() || (query instanceof Query.GetValue && read.getWatch() == 0);
        if (!fits) {
            throw MalformedFrameException.invalid(
                    "read.cacheable", "only a value that is read without a watch can be cached");
        }
        return read.getCacheable();
    }

    private static ClientFrame open(OpenFrame open) throws MalformedFrameException {
        try {
            return new ClientFrame.Open(
                    open.getSendNumber(),
                    Fields.secret("open.secret", open.getSecret()),
                    open.getLeaseMillis(),
                    Fields.text("open.client_name", open.getClientNameBytes(), Limits.MAX_NAME_BYTES),
                    open.getCaching());
        } catch (MalformedFrameException e) {
            throw e.inFrame(0);
        }
    }

    private static ClientFrame attach(AttachFrame attach) throws MalformedFrameException {
        try {
            return new ClientFrame.Attach(
                    new SessionId(attach.getSession()),
                    Fields.secret("attach.secret", attach.getSecret()),
                    attach.getAttachment());
        } catch (MalformedFrameException e) {
            throw e.inFrame(0);
        }
    }
}
