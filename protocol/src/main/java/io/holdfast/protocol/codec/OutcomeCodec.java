package io.holdfast.protocol.codec;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.proto.CancelledOutcome;
import io.holdfast.protocol.proto.CreatedOutcome;
import io.holdfast.protocol.proto.DeletedOutcome;
import io.holdfast.protocol.proto.FailedOutcome;
import io.holdfast.protocol.proto.NotAcquiredOutcome;
import io.holdfast.protocol.proto.OutcomeMessage;
import io.holdfast.protocol.proto.PlacedOutcome;
import io.holdfast.protocol.proto.ReleasedOutcome;
import io.holdfast.protocol.proto.SessionClosedOutcome;
import io.holdfast.protocol.proto.SessionOpenedOutcome;
import io.holdfast.protocol.proto.WrittenOutcome;

/** {@link Outcome} and its message. */
final class OutcomeCodec {
    private OutcomeCodec() {}

    static OutcomeMessage encode(Outcome outcome) {
        OutcomeMessage.Builder message = OutcomeMessage.newBuilder();
        if (outcome instanceof Outcome.Written written) {
            message.setWritten(WrittenOutcome.newBuilder()
                    .setPath(written.path().value())
                    .setVersion(written.version())
                    .setRevision(written.revision())
                    .setCreated(written.created()));
        } else if (outcome instanceof Outcome.Created created) {
            message.setCreated(
                    CreatedOutcome.newBuilder().setPath(created.path().value()).setRevision(created.revision()));
        } else if (outcome instanceof Outcome.Deleted deleted) {
            message.setDeleted(
                    DeletedOutcome.newBuilder().setPath(deleted.path().value()).setRevision(deleted.revision()));
        } else if (outcome instanceof Outcome.Placed placed) {
            message.setPlaced(PlacedOutcome.newBuilder()
                    .setPlace(placed.place().value())
                    .setToken(placed.token().value())
                    .setHeld(placed.held())
                    .setPresent(placed.present()));
        } else if (outcome instanceof Outcome.NotAcquired refused) {
            message.setNotAcquired(NotAcquiredOutcome.newBuilder()
                    .setLock(refused.lock().value())
                    .setBlocker(refused.blocker().value()));
        } else if (outcome instanceof Outcome.Released released) {
            message.setReleased(ReleasedOutcome.newBuilder().setRemoved(released.removed()));
        } else if (outcome instanceof Outcome.Cancelled cancelled) {
            CancelledOutcome.Builder builder = CancelledOutcome.newBuilder();
            if (cancelled.removed() != null) {
                builder.setRemoved(cancelled.removed().value());
            }
            message.setCancelled(builder);
        } else if (outcome instanceof Outcome.SessionOpened opened) {
            message.setSessionOpened(SessionOpenedOutcome.newBuilder()
                    .setSession(opened.session().value())
                    .setLeaseMillis(opened.leaseMillis()));
        } else if (outcome instanceof Outcome.SessionClosed) {
            message.setSessionClosed(SessionClosedOutcome.getDefaultInstance());
        } else if (outcome instanceof Outcome.Batched batched) {
            message.setBatch(BatchCodec.encode(batched));
        } else if (outcome instanceof Outcome.BatchRefused refused) {
            message.setBatch(BatchCodec.encode(refused));
        } else if (outcome instanceof Outcome.BeingEnded ending) {
            message.setBeingEnded(EndingCodec.encode(ending));
        } else if (outcome instanceof Outcome.OfLease lease) {
            message.setLease(LeaseCodec.encode(lease.lease()));
        } else if (outcome instanceof Outcome.Failed failed) {
            message.setFailed(FailedOutcome.newBuilder()
                    .setCodeValue(failed.code().code())
                    .setMessage(failed.message()));
        } else {
            throw new AssertionError("outcome without a message: " + outcome.getClass());
        }
        return message.build();
    }

    static Outcome decode(OutcomeMessage message) throws MalformedFrameException {
        switch (message.getOutcomeCase()) {
            case WRITTEN: {
                WrittenOutcome written = message.getWritten();
                return new Outcome.Written(
                        Fields.path("written.path", written.getPath()),
                        written.getVersion(),
                        written.getRevision(),
                        written.getCreated());
            }
            case CREATED: {
                CreatedOutcome created = message.getCreated();
                return new Outcome.Created(Fields.path("created.path", created.getPath()), created.getRevision());
            }
            case DELETED: {
                DeletedOutcome deleted = message.getDeleted();
                return new Outcome.Deleted(Fields.path("deleted.path", deleted.getPath()), deleted.getRevision());
            }
            case PLACED: {
                PlacedOutcome placed = message.getPlaced();
                return new Outcome.Placed(
                        Fields.path("placed.place", placed.getPlace()),
                        new FencingToken(placed.getToken()),
                        placed.getHeld(),
                        placed.getPresent());
            }
            case NOT_ACQUIRED: {
                NotAcquiredOutcome refused = message.getNotAcquired();
                return new Outcome.NotAcquired(
                        Fields.path("not_acquired.lock", refused.getLock()), new FencingToken(refused.getBlocker()));
            }
            case RELEASED:
                return new Outcome.Released(message.getReleased().getRemoved());
            case CANCELLED: {
                CancelledOutcome cancelled = message.getCancelled();
                return new Outcome.Cancelled(
                        cancelled.hasRemoved() ? Fields.path("cancelled.removed", cancelled.getRemoved()) : null);
            }
            case SESSION_OPENED: {
                SessionOpenedOutcome opened = message.getSessionOpened();
                return new Outcome.SessionOpened(new SessionId(opened.getSession()), opened.getLeaseMillis());
            }
            case SESSION_CLOSED:
                return new Outcome.SessionClosed();
            case BEING_ENDED:
                return EndingCodec.decode(message.getBeingEnded());
            case LEASE:
                return new Outcome.OfLease(LeaseCodec.decode(message.getLease()));
            case FAILED: {
                FailedOutcome failed = message.getFailed();
                return new Outcome.Failed(ErrorCode.of(failed.getCodeValue()), failed.getMessage());
            }
            case BATCH:
                return BatchCodec.decode(message.getBatch());
            case OUTCOME_NOT_SET:
                break;
        }
        throw Fields.missing("outcome");
    }
}
