package io.holdfast.protocol.codec;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.proto.BatchItemMessage;
import io.holdfast.protocol.proto.BatchOperation;
import io.holdfast.protocol.proto.BatchOutcome;
import io.holdfast.protocol.proto.BatchRefusedOutcome;
import io.holdfast.protocol.proto.BatchedOutcome;
import io.holdfast.protocol.proto.CheckItem;
import io.holdfast.protocol.proto.DeleteOperation;
import io.holdfast.protocol.proto.PutOperation;
import java.util.ArrayList;
import java.util.List;

/** {@link Operation.Batch}, its outcomes, and their messages. */
final class BatchCodec {
    private BatchCodec() {}

    static BatchOperation encode(Operation.Batch batch) {
        BatchOperation.Builder message = BatchOperation.newBuilder();
        for (Operation.BatchItem item : batch.items()) {
            message.addItems(encode(item));
        }
        return message.build();
    }

    private static BatchItemMessage encode(Operation.BatchItem item) {
        BatchItemMessage.Builder message = BatchItemMessage.newBuilder();
        String path = item.path().value();
        if (item instanceof Operation.Put put) {
            message.setPut(PutOperation.newBuilder()
                    .setPath(path)
                    .setValue(Fields.wrap(put.value()))
                    .setExpectedVersion(put.expectedVersion()));
        } else if (item instanceof Operation.Delete delete) {
            message.setDelete(DeleteOperation.newBuilder().setPath(path).setExpectedVersion(delete.expectedVersion()));
        } else {
            message.setCheck(CheckItem.newBuilder().setPath(path).setExpectedVersion(item.expectedVersion()));
        }
        return message.build();
    }

    static Operation.Batch decode(BatchOperation message) throws MalformedFrameException {
        if (message.getItemsCount() > Limits.MAX_BATCH_ITEMS) {
            throw new MalformedFrameException(
                    "batch.items",
                    ErrorCode.TOO_LARGE,
                    message.getItemsCount() + " items are over the limit of " + Limits.MAX_BATCH_ITEMS);
        }
        List<Operation.BatchItem> items = new ArrayList<>(message.getItemsCount());
        for (BatchItemMessage item : message.getItemsList()) {
            items.add(decode(item));
        }
        return new Operation.Batch(items);
    }

    private static Operation.BatchItem decode(BatchItemMessage message) throws MalformedFrameException {
        switch (message.getItemCase()) {
            case PUT: {
                PutOperation put = message.getPut();
                return new Operation.Put(
                        Fields.path("batch.items.put.path", put.getPath()),
                        Fields.value("batch.items.put.value", put.getValue()),
                        put.getExpectedVersion());
            }
            case DELETE: {
                DeleteOperation delete = message.getDelete();
                return new Operation.Delete(
                        Fields.path("batch.items.delete.path", delete.getPath()), delete.getExpectedVersion());
            }
            case CHECK: {
                CheckItem check = message.getCheck();
                return new Operation.Check(
                        Fields.path("batch.items.check.path", check.getPath()), check.getExpectedVersion());
            }
            case ITEM_NOT_SET:
                break;
        }
        throw Fields.missing("batch.items.item");
    }

    static BatchOutcome encode(Outcome.Batched batched) {
        return BatchOutcome.newBuilder()
                .setBatched(BatchedOutcome.newBuilder()
                        .setRevision(batched.revision())
                        .addAllVersions(batched.versions()))
                .build();
    }

    static BatchOutcome encode(Outcome.BatchRefused refused) {
        return BatchOutcome.newBuilder()
                .setRefused(BatchRefusedOutcome.newBuilder()
                        .setItem(refused.item())
                        .setCodeValue(refused.code().code())
                        .setMessage(refused.message()))
                .build();
    }

    static Outcome decode(BatchOutcome message) throws MalformedFrameException {
        switch (message.getOutcomeCase()) {
            case BATCHED: {
                BatchedOutcome batched = message.getBatched();
                return new Outcome.Batched(batched.getRevision(), batched.getVersionsList());
            }
            case REFUSED: {
                BatchRefusedOutcome refused = message.getRefused();
                return new Outcome.BatchRefused(
                        refused.getItem(), ErrorCode.of(refused.getCodeValue()), refused.getMessage());
            }
            case OUTCOME_NOT_SET:
                break;
        }
        throw Fields.missing("batch.outcome");
    }
}
