package io.holdfast.replica;

import io.holdfast.cell.CellStateMachine;
import io.holdfast.cell.Command;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What can be refused without asking the log: the state machine would refuse it whatever the state is. */
final class RequestChecks {
    /** What an item of a batch takes beside its path and value. */
    private static final int BATCH_ITEM_CHARS = 8;

    private RequestChecks() {}

    /** What is wrong with an operation, or null. */
    static @Nullable Outcome objectionTo(Operation operation) {
        if (operation instanceof Operation.Batch batch) {
            return CellStateMachine.objectionTo(batch);
        }
        int valueBytes = valueBytes(operation);
        if (valueBytes > Limits.MAX_VALUE_BYTES) {
            return new Outcome.Failed(
                    ErrorCode.TOO_LARGE,
                    "value of " + valueBytes + " bytes is over the limit of " + Limits.MAX_VALUE_BYTES);
        }
        if (EndingDesk.isFor(operation)) {
            return new Outcome.Failed(
                    ErrorCode.INVALID,
                    "operation " + operation.getClass().getSimpleName() + " is asked without a session");
        }
        return null;
    }

    /** What is wrong with an operation without a session, or null. */
    static @Nullable Outcome objectionToOneShot(Operation operation) {
        if (operation instanceof Operation.Put
                || operation instanceof Operation.Delete
                || operation instanceof Operation.Batch) {
            return objectionTo(operation);
        }
        return new Outcome.Failed(
                ErrorCode.INVALID, "operation " + operation.getClass().getSimpleName() + " needs a session");
    }

    /** What is wrong with an open, or null. */
    static @Nullable String objectionTo(ClientFrame.Open open) {
        if (open.secret().length != Limits.SECRET_BYTES) {
            return "secret: must be " + Limits.SECRET_BYTES + " bytes, not " + open.secret().length;
        }
        if (open.leaseMillis() < Limits.MIN_SESSION_LEASE_MILLIS
                || open.leaseMillis() > Limits.MAX_SESSION_LEASE_MILLIS) {
            return "leaseMillis: must be " + Limits.MIN_SESSION_LEASE_MILLIS + " to " + Limits.MAX_SESSION_LEASE_MILLIS
                    + ", not " + open.leaseMillis();
        }
        if (open.clientName().getBytes(StandardCharsets.UTF_8).length > Limits.MAX_NAME_BYTES) {
            return "clientName: longer than " + Limits.MAX_NAME_BYTES + " bytes";
        }
        return null;
    }

    /** About how many bytes a frame holds, beside a fixed part. */
    static int payloadBytes(UpstreamFrame frame) {
        if (frame instanceof UpstreamFrame.KeepAlives batch) {
            return 4 * Long.BYTES * batch.heard().size();
        }
        if (frame instanceof UpstreamFrame.ClaimWatches claims) {
            int bytes = 0;
            for (UpstreamFrame.WatchedPath path : claims.paths()) {
                bytes += 3 * path.path().value().length();
            }
            return bytes;
        }
        if (frame instanceof UpstreamFrame.DropWatches drop) {
            return 2 * Long.BYTES * drop.watches().size();
        }
        if (frame instanceof UpstreamFrame.ToCell other) {
            return payloadBytes(other.frame());
        }
        return frame instanceof UpstreamFrame.Forward forward ? payloadBytes(forward.frame()) : 0;
    }

    /** About how many bytes a client's frame holds, beside a fixed part. */
    static int payloadBytes(ClientFrame frame) {
        if (frame instanceof ClientFrame.Request request) {
            return payloadBytes(request.operation());
        } else if (frame instanceof ClientFrame.OneShot oneShot) {
            return payloadBytes(oneShot.operation());
        } else if (frame instanceof ClientFrame.Watch watch) {
            int bytes = Long.BYTES * watch.dropped().size();
            for (ClientFrame.WatchClaim claim : watch.claims()) {
                bytes += 3 * claim.path().value().length();
            }
            return bytes;
        } else if (frame instanceof ClientFrame.Lease lease) {
            return LeaseDesk.payloadBytes(lease.call());
        } else if (frame instanceof ClientFrame.Open open) {
            return open.secret().length + 3 * open.clientName().length();
        }
        return 0;
    }

    /** About how many bytes of the log a decision of the leader takes, beside a fixed part. */
    static int payloadBytes(Command own) {
        if (own instanceof Command.ExpireLease expire) {
            return 3 * expire.name().value().length();
        } else if (own instanceof Command.EndDelay delay) {
            return 3 * delay.place().value().length();
        } else if (own instanceof Command.BreakPlace broken) {
            return 3 * broken.place().value().length();
        }
        return 0;
    }

    /** About how many bytes of the log an operation takes, beside a fixed part. */
    static int payloadBytes(Operation operation) {
        return valueBytes(operation) + 3 * pathChars(operation);
    }

    private static int valueBytes(Operation operation) {
        if (operation instanceof Operation.Put put) {
            return put.value().length;
        } else if (operation instanceof Operation.CreateEphemeral create) {
            return create.value().length;
        } else if (operation instanceof Operation.Acquire acquire) {
            return acquire.value().length;
        }
        return operation instanceof Operation.Batch batch ? valueBytes(batch) : 0;
    }

    private static int valueBytes(Operation.Batch batch) {
        int bytes = 0;
        for (Operation.BatchItem item : batch.items()) {
            bytes += item instanceof Operation.Put put ? put.value().length : 0;
        }
        return bytes;
    }

    private static int pathChars(Operation operation) {
        if (operation instanceof Operation.Put put) {
            return put.path().value().length();
        } else if (operation instanceof Operation.CreateEphemeral create) {
            return create.path().value().length();
        } else if (operation instanceof Operation.Acquire acquire) {
            return acquire.lock().value().length();
        } else if (operation instanceof Operation.Delete delete) {
            return delete.path().value().length();
        } else if (operation instanceof Operation.Release release) {
            return release.place().value().length();
        } else if (operation instanceof Operation.BreakPlace broken) {
            return broken.place().value().length();
        }
        return operation instanceof Operation.Batch batch ? pathChars(batch) : 0;
    }

    private static int pathChars(Operation.Batch batch) {
        int chars = 0;
        for (Operation.BatchItem item : batch.items()) {
            chars += item.path().value().length() + BATCH_ITEM_CHARS;
        }
        return chars;
    }
}
