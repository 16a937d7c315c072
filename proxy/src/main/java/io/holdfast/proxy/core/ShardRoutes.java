package io.holdfast.proxy.core;

import io.holdfast.model.Query;
import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ClientFrame;
import org.jspecify.annotations.Nullable;

/**
 * Which frames of clients are for a shard, and for which. All others are for the first cell.
 *
 * <p>A frame that comes here needs no session, and has an id under which it is answered or refused, alone.
 *
 * <p><b>Source:</b> R7.4; ADR 0015.
 */
final class ShardRoutes {
    private ShardRoutes() {}

    /** Name of the shard's cell, which may not exist; null for a frame that is for the first cell. */
    static @Nullable String cellOf(ClientFrame frame, Shards shards) {
        if (frame instanceof ClientFrame.Read read && read.query() instanceof Query.ShardStatus status) {
            return Shards.cellName(status.shard());
        }
        if (frame instanceof ClientFrame.Lease lease && shards.count() > 0) {
            return shards.cellOf(lease.call().name().value());
        }
        return null;
    }
}
