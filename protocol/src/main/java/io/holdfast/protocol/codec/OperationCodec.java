package io.holdfast.protocol.codec;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.Operation;
import io.holdfast.protocol.proto.AcquireOperation;
import io.holdfast.protocol.proto.CancelOperation;
import io.holdfast.protocol.proto.CloseSessionOperation;
import io.holdfast.protocol.proto.CreateEphemeralOperation;
import io.holdfast.protocol.proto.DeleteOperation;
import io.holdfast.protocol.proto.OperationMessage;
import io.holdfast.protocol.proto.PutOperation;
import io.holdfast.protocol.proto.ReleaseOperation;

/** {@link Operation} and its message. */
final class OperationCodec {
    private OperationCodec() {}

    static OperationMessage encode(Operation operation) {
        OperationMessage.Builder message = OperationMessage.newBuilder();
        if (operation instanceof Operation.Put put) {
            message.setPut(PutOperation.newBuilder()
                    .setPath(put.path().value())
                    .setValue(Fields.wrap(put.value()))
                    .setExpectedVersion(put.expectedVersion()));
        } else if (operation instanceof Operation.CreateEphemeral create) {
            message.setCreateEphemeral(CreateEphemeralOperation.newBuilder()
                    .setPath(create.path().value())
                    .setValue(Fields.wrap(create.value()))
                    .setSequential(create.sequential()));
        } else if (operation instanceof Operation.Delete delete) {
            message.setDelete(DeleteOperation.newBuilder()
                    .setPath(delete.path().value())
                    .setExpectedVersion(delete.expectedVersion()));
        } else if (operation instanceof Operation.Acquire acquire) {
            message.setAcquire(AcquireOperation.newBuilder()
                    .setLock(acquire.lock().value())
                    .setModeValue(acquire.mode().code())
                    .setOnlyIfFree(acquire.onlyIfFree())
                    .setLockDelayMillis(acquire.lockDelayMillis())
                    .setValue(Fields.wrap(acquire.value()))
                    .setPermits(acquire.permits()));
        } else if (operation instanceof Operation.Release release) {
            message.setRelease(ReleaseOperation.newBuilder()
                    .setPlace(release.place().value())
                    .setToken(release.token().value()));
        } else if (operation instanceof Operation.Cancel cancel) {
            message.setCancel(CancelOperation.newBuilder().setRequestId(cancel.requestId()));
        } else if (operation instanceof Operation.CloseSession) {
            message.setCloseSession(CloseSessionOperation.getDefaultInstance());
        } else if (operation instanceof Operation.Batch batch) {
            message.setBatch(BatchCodec.encode(batch));
        } else if (operation instanceof Operation.BreakPlace broken) {
            message.setBreakPlace(EndingCodec.encode(broken));
        } else if (operation instanceof Operation.EndSession end) {
            message.setEndSession(EndingCodec.encode(end));
        } else {
            throw new AssertionError("operation without a message: " + operation.getClass());
        }
        return message.build();
    }

    static Operation decode(OperationMessage message) throws MalformedFrameException {
        switch (message.getOperationCase()) {
            case PUT: {
                PutOperation put = message.getPut();
                return new Operation.Put(
                        Fields.path("put.path", put.getPath()),
                        Fields.value("put.value", put.getValue()),
                        put.getExpectedVersion());
            }
            case CREATE_EPHEMERAL: {
                CreateEphemeralOperation create = message.getCreateEphemeral();
                return new Operation.CreateEphemeral(
                        Fields.path("create_ephemeral.path", create.getPath()),
                        Fields.value("create_ephemeral.value", create.getValue()),
                        create.getSequential());
            }
            case DELETE: {
                DeleteOperation delete = message.getDelete();
                return new Operation.Delete(Fields.path("delete.path", delete.getPath()), delete.getExpectedVersion());
            }
            case ACQUIRE: {
                AcquireOperation acquire = message.getAcquire();
                LockMode mode = Fields.lockMode("acquire.mode", acquire.getModeValue());
                if (mode != LockMode.PERMIT && acquire.getPermits() != 0) {
                    throw MalformedFrameException.invalid("acquire.permits", "a lock has none");
                }
                return new Operation.Acquire(
                        Fields.path("acquire.lock", acquire.getLock()),
                        mode,
                        acquire.getOnlyIfFree(),
                        acquire.getLockDelayMillis(),
                        Fields.value("acquire.value", acquire.getValue()),
                        acquire.getPermits());
            }
            case RELEASE: {
                ReleaseOperation release = message.getRelease();
                return new Operation.Release(
                        Fields.path("release.place", release.getPlace()), new FencingToken(release.getToken()));
            }
            case CANCEL:
                return new Operation.Cancel(message.getCancel().getRequestId());
            case CLOSE_SESSION:
                return new Operation.CloseSession();
            case BATCH:
                return BatchCodec.decode(message.getBatch());
            case BREAK_PLACE:
                return EndingCodec.decode(message.getBreakPlace());
            case END_SESSION:
                return EndingCodec.decode(message.getEndSession());
            case OPERATION_NOT_SET:
                break;
        }
        throw Fields.missing("operation");
    }
}
