package io.holdfast.protocol.codec;

import io.holdfast.model.Limits;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.proto.WatchClaimMessage;
import io.holdfast.protocol.proto.WatchFrame;
import io.holdfast.protocol.proto.WatchedFrame;
import io.holdfast.protocol.proto.WatchesFiredFrame;
import java.util.ArrayList;
import java.util.List;

/** The frames about watches and their messages. */
final class WatchCodec {
    private WatchCodec() {}

    static WatchFrame encode(ClientFrame.Watch watch) {
        WatchFrame.Builder message = WatchFrame.newBuilder().setCallId(watch.callId());
        for (ClientFrame.WatchClaim claim : watch.claims()) {
            message.addClaims(WatchClaimMessage.newBuilder()
                    .setWatch(claim.watch())
                    .setKindValue(claim.kind().code())
                    .setPath(claim.path().value())
                    .setSeenRevision(claim.seenRevision()));
        }
        return message.addAllDropped(watch.dropped()).build();
    }

    static ClientFrame.Watch decode(WatchFrame message) throws MalformedFrameException {
        long id = Fields.id("watch.call_id", message.getCallId());
        try {
            checkSize("watch.claims", message.getClaimsCount());
            checkSize("watch.dropped", message.getDroppedCount());
            List<ClientFrame.WatchClaim> claims = new ArrayList<>(message.getClaimsCount());
            for (WatchClaimMessage claim : message.getClaimsList()) {
                claims.add(new ClientFrame.WatchClaim(
                        Fields.id("watch.claims.watch", claim.getWatch()),
                        Fields.watchKind("watch.claims.kind", claim.getKindValue()),
                        Fields.path("watch.claims.path", claim.getPath()),
                        claim.getSeenRevision()));
            }
            return new ClientFrame.Watch(id, claims, message.getDroppedList());
        } catch (MalformedFrameException e) {
            throw e.inFrame(id);
        }
    }

    private static void checkSize(String field, int size) throws MalformedFrameException {
        if (size > Limits.MAX_PAGE_ENTRIES) {
            throw MalformedFrameException.invalid(
                    field, size + " entries are over the limit of " + Limits.MAX_PAGE_ENTRIES);
        }
    }

    static WatchesFiredFrame encode(ServerFrame.WatchesFired fired) {
        return WatchesFiredFrame.newBuilder()
                .setSession(fired.session().value())
                .setRevision(fired.revision())
                .addAllWatches(fired.watches())
                .build();
    }

    static ServerFrame.WatchesFired decode(WatchesFiredFrame message) {
        return new ServerFrame.WatchesFired(
                new SessionId(message.getSession()), message.getRevision(), message.getWatchesList());
    }

    static WatchedFrame encode(ServerFrame.Watched watched) {
        return WatchedFrame.newBuilder()
                .setCallId(watched.callId())
                .setRevision(watched.revision())
                .build();
    }

    static ServerFrame.Watched decode(WatchedFrame message) {
        return new ServerFrame.Watched(message.getCallId(), message.getRevision());
    }
}
