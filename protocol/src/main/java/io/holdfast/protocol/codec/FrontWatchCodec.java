package io.holdfast.protocol.codec;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.proto.ClaimWatchesFrame;
import io.holdfast.protocol.proto.DropWatchesFrame;
import io.holdfast.protocol.proto.FrontWatchesFiredFrame;
import io.holdfast.protocol.proto.WatchClaimsRefusedFrame;
import io.holdfast.protocol.proto.WatchedPathMessage;
import io.holdfast.protocol.proto.WatchesClaimedFrame;
import java.util.ArrayList;
import java.util.List;

/**
 * The watches that a front end has at the leader for all of its clients.
 *
 * <p><b>Thread:</b> any.
 */
final class FrontWatchCodec {
    private FrontWatchCodec() {}

    static ClaimWatchesFrame encode(UpstreamFrame.ClaimWatches claim) {
        ClaimWatchesFrame.Builder frame = ClaimWatchesFrame.newBuilder().setPage(claim.page());
        for (UpstreamFrame.WatchedPath path : claim.paths()) {
            frame.addPaths(WatchedPathMessage.newBuilder()
                    .setWatch(path.watch())
                    .setKindValue(path.kind().code())
                    .setPath(path.path().value()));
        }
        return frame.build();
    }

    static UpstreamFrame.ClaimWatches decode(ClaimWatchesFrame frame) throws MalformedFrameException {
        if (frame.getPathsCount() > Limits.MAX_PAGE_ENTRIES) {
            throw MalformedFrameException.invalid(
                    "claim_watches.paths",
                    frame.getPathsCount() + " entries are over the limit of " + Limits.MAX_PAGE_ENTRIES);
        }
        List<UpstreamFrame.WatchedPath> paths = new ArrayList<>(frame.getPathsCount());
        for (WatchedPathMessage path : frame.getPathsList()) {
            paths.add(new UpstreamFrame.WatchedPath(
                    Fields.id("claim_watches.paths.watch", path.getWatch()),
                    Fields.watchKind("claim_watches.paths.kind", path.getKindValue()),
                    Fields.path("claim_watches.paths.path", path.getPath())));
        }
        return new UpstreamFrame.ClaimWatches(Fields.id("claim_watches.page", frame.getPage()), paths);
    }

    static DropWatchesFrame encode(UpstreamFrame.DropWatches drop) {
        return DropWatchesFrame.newBuilder().addAllWatches(drop.watches()).build();
    }

    static UpstreamFrame.DropWatches decode(DropWatchesFrame frame) throws MalformedFrameException {
        if (frame.getWatchesCount() < 1 || frame.getWatchesCount() > UpstreamFrame.DropWatches.MAX) {
            throw MalformedFrameException.invalid(
                    "drop_watches.watches",
                    frame.getWatchesCount() + " is not within 1 and " + UpstreamFrame.DropWatches.MAX);
        }
        return new UpstreamFrame.DropWatches(frame.getWatchesList());
    }

    static FrontWatchesFiredFrame encode(DownstreamFrame.WatchesFired fired) {
        return FrontWatchesFiredFrame.newBuilder()
                .setRevision(fired.revision())
                .addAllWatches(fired.watches())
                .build();
    }

    static DownstreamFrame.WatchesFired decode(FrontWatchesFiredFrame frame) {
        return new DownstreamFrame.WatchesFired(frame.getRevision(), frame.getWatchesList());
    }

    static WatchesClaimedFrame encode(DownstreamFrame.WatchesClaimed claimed) {
        return WatchesClaimedFrame.newBuilder()
                .setPage(claimed.page())
                .setRevision(claimed.revision())
                .addAllNewest(claimed.newest())
                .build();
    }

    static DownstreamFrame.WatchesClaimed decode(WatchesClaimedFrame frame) {
        return new DownstreamFrame.WatchesClaimed(frame.getPage(), frame.getRevision(), frame.getNewestList());
    }

    static WatchClaimsRefusedFrame encode(DownstreamFrame.WatchClaimsRefused refused) {
        return WatchClaimsRefusedFrame.newBuilder()
                .setPage(refused.page())
                .setCodeValue(refused.code().code())
                .setReason(refused.reason())
                .build();
    }

    static DownstreamFrame.WatchClaimsRefused decode(WatchClaimsRefusedFrame frame) {
        return new DownstreamFrame.WatchClaimsRefused(
                frame.getPage(), ErrorCode.of(frame.getCodeValue()), frame.getReason());
    }
}
