package io.holdfast.protocol.frame;

import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;

/** What a frame is charged for in bounded queues, in bytes: a cheap estimate of what it holds in memory and on the wire. */
public final class FrameSize {
    private static final int FIXED = 64;
    /** Of a line of a batch of KeepAlives, or half of it. */
    private static final int HEARD = 16;

    private FrameSize() {}

    public static int of(UpstreamFrame frame) {
        if (frame instanceof UpstreamFrame.KeepAlives batch) {
            return FIXED + batch.heard().size() * 2 * HEARD;
        }
        if (frame instanceof UpstreamFrame.DropWatches drop) {
            return FIXED + drop.watches().size() * HEARD;
        }
        if (frame instanceof UpstreamFrame.ClaimWatches claim) {
            int bytes = FIXED;
            for (UpstreamFrame.WatchedPath path : claim.paths()) {
                bytes += FIXED + path.path().value().length();
            }
            return bytes;
        }
        if (frame instanceof UpstreamFrame.ToCell other) {
            return of(other.frame());
        }
        return frame instanceof UpstreamFrame.Forward forward ? of(forward.frame()) : FIXED;
    }

    public static int of(DownstreamFrame frame) {
        if (frame instanceof DownstreamFrame.KeepAlivesSettled settled) {
            return FIXED + (settled.notRenewed().size() + settled.unbound().size()) * HEARD;
        }
        if (frame instanceof DownstreamFrame.WatchesFired fired) {
            return FIXED + fired.watches().size() * HEARD;
        }
        if (frame instanceof DownstreamFrame.WatchesClaimed claimed) {
            return FIXED + claimed.newest().size() * HEARD;
        }
        if (frame instanceof DownstreamFrame.FromCell other) {
            return of(other.frame());
        }
        return frame instanceof DownstreamFrame.Deliver deliver ? of(deliver.frame()) : FIXED;
    }

    public static int of(ClientFrame frame) {
        if (frame instanceof ClientFrame.Request request) {
            return FIXED + of(request.operation());
        }
        if (frame instanceof ClientFrame.OneShot oneShot) {
            return FIXED + of(oneShot.operation());
        }
        if (frame instanceof ClientFrame.Watch watch) {
            int bytes = FIXED + watch.dropped().size() * Long.BYTES;
            for (ClientFrame.WatchClaim claim : watch.claims()) {
                bytes += FIXED + claim.path().value().length();
            }
            return bytes;
        }
        if (frame instanceof ClientFrame.Lease lease) {
            return FIXED + of(lease.call());
        }
        if (frame instanceof ClientFrame.Open open) {
            return FIXED + open.clientName().length();
        }
        if (frame instanceof ClientFrame.EndingAck ack) {
            return FIXED + of(ack.ending());
        }
        return FIXED;
    }

    public static int of(ServerFrame frame) {
        if (frame instanceof ServerFrame.ReadReply reply) {
            return FIXED + of(reply.answer());
        }
        if (frame instanceof ServerFrame.Granted granted) {
            return FIXED + granted.place().value().length();
        }
        if (frame instanceof ServerFrame.WatchesFired fired) {
            return FIXED + fired.watches().size() * Long.BYTES;
        }
        if (frame instanceof ServerFrame.Invalidate invalidate) {
            int bytes = FIXED;
            for (NodePath path : invalidate.paths()) {
                bytes += 8 + path.value().length();
            }
            return bytes;
        }
        if (frame instanceof ServerFrame.EndingNotice notice) {
            return 2 * FIXED + of(notice.ending());
        }
        return 2 * FIXED;
    }

    private static int of(LeaseCall call) {
        int name = call.name().value().length();
        if (call instanceof LeaseCall.Acquire acquire) {
            return name + acquire.owner().value().length() + acquire.requestId().length();
        } else if (call instanceof LeaseCall.Renew renew) {
            return name + renew.owner().value().length();
        }
        return call instanceof LeaseCall.Release release
                ? name + release.owner().value().length()
                : name;
    }

    private static int of(Ending ending) {
        return ending instanceof Ending.OfPlace broken ? broken.place().value().length() : 0;
    }

    private static int of(Operation operation) {
        if (operation instanceof Operation.Batch batch) {
            int bytes = FIXED;
            for (Operation.BatchItem item : batch.items()) {
                bytes += item.path().value().length() + FIXED;
                bytes += item instanceof Operation.Put put ? put.value().length : 0;
            }
            return bytes;
        }
        if (operation instanceof Operation.Put put) {
            return put.path().value().length() + put.value().length;
        }
        if (operation instanceof Operation.Acquire acquire) {
            return acquire.lock().value().length() + acquire.value().length;
        }
        if (operation instanceof Operation.CreateEphemeral create) {
            return create.path().value().length() + create.value().length;
        }
        if (operation instanceof Operation.Release release) {
            return release.place().value().length();
        }
        if (operation instanceof Operation.BreakPlace broken) {
            return broken.place().value().length();
        }
        return FIXED;
    }

    private static int of(Answer answer) {
        if (answer instanceof Answer.Value value) {
            return value.path().value().length() + (value.value() == null ? 0 : value.value().length);
        }
        if (answer instanceof Answer.Children children) {
            int bytes = FIXED;
            for (String name : children.names()) {
                bytes += name.length() + 8;
            }
            return bytes;
        }
        if (answer instanceof Answer.Places places) {
            int bytes = FIXED;
            for (Answer.PlaceInfo place : places.places()) {
                bytes += FIXED + 2 * place.place().value().length() + place.value().length;
            }
            return bytes;
        }
        if (answer instanceof Answer.Sessions sessions) {
            return FIXED + sessions.sessions().size() * 2 * FIXED;
        }
        if (answer instanceof Answer.Status status) {
            return FIXED
                    + (status.replicas().size() + status.caches().waitsFor().size()) * 2 * FIXED;
        }
        return FIXED;
    }
}
