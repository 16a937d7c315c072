package io.holdfast.protocol.codec;

import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.proto.CacheAckFrame;
import io.holdfast.protocol.proto.CacheWaitMessage;
import io.holdfast.protocol.proto.CachesMessage;
import io.holdfast.protocol.proto.FillMessage;
import io.holdfast.protocol.proto.InvalidateFrame;
import java.util.ArrayList;
import java.util.List;

/** What is about caches (R6) and its messages. */
final class CacheCodec {
    private CacheCodec() {}

    static CacheAckFrame encode(ClientFrame.CacheAck ack) {
        return CacheAckFrame.newBuilder()
                .setEpoch(ack.epoch())
                .setNumber(ack.number())
                .build();
    }

    static ClientFrame.CacheAck decode(CacheAckFrame message) {
        return new ClientFrame.CacheAck(message.getEpoch(), message.getNumber());
    }

    static InvalidateFrame encode(ServerFrame.Invalidate invalidate) {
        InvalidateFrame.Builder message = InvalidateFrame.newBuilder()
                .setSession(invalidate.session().value())
                .setNumber(invalidate.number());
        invalidate.paths().forEach(path -> message.addPaths(path.value()));
        return message.build();
    }

    static ServerFrame.Invalidate decode(InvalidateFrame message) throws MalformedFrameException {
        List<NodePath> paths = new ArrayList<>(message.getPathsCount());
        for (String path : message.getPathsList()) {
            paths.add(Fields.path("invalidate.paths", path));
        }
        return new ServerFrame.Invalidate(new SessionId(message.getSession()), message.getNumber(), paths);
    }

    static FillMessage encode(ServerFrame.Fill fill) {
        return FillMessage.newBuilder()
                .setAttachment(fill.attachment())
                .setEpoch(fill.epoch())
                .build();
    }

    static ServerFrame.Fill decode(FillMessage message) {
        return new ServerFrame.Fill(message.getAttachment(), message.getEpoch());
    }

    static CachesMessage encode(Answer.Caches caches) {
        CachesMessage.Builder message = CachesMessage.newBuilder()
                .setCachedPaths(caches.cachedPaths())
                .setWritesWaiting(caches.writesWaiting());
        for (Answer.CacheWait wait : caches.waitsFor()) {
            message.addWaitsForBuilder()
                    .setSession(wait.session().value())
                    .setClientName(wait.clientName())
                    .setPaths(wait.paths())
                    .setWaitedMillis(wait.waitedMillis())
                    .setRemainingMillis(wait.remainingMillis());
        }
        return message.build();
    }

    static Answer.Caches decode(CachesMessage message) {
        List<Answer.CacheWait> waits = new ArrayList<>(message.getWaitsForCount());
        for (CacheWaitMessage wait : message.getWaitsForList()) {
            waits.add(new Answer.CacheWait(
                    new SessionId(wait.getSession()),
                    wait.getClientName(),
                    wait.getPaths(),
                    wait.getWaitedMillis(),
                    wait.getRemainingMillis()));
        }
        return new Answer.Caches(message.getCachedPaths(), message.getWritesWaiting(), waits);
    }
}
