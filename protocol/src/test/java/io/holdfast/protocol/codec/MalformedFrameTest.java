package io.holdfast.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.proto.AcquireOperation;
import io.holdfast.protocol.proto.AttachFrame;
import io.holdfast.protocol.proto.ClientBody;
import io.holdfast.protocol.proto.ClientMessage;
import io.holdfast.protocol.proto.ErrorNumber;
import io.holdfast.protocol.proto.ListChildrenQuery;
import io.holdfast.protocol.proto.LockModeCode;
import io.holdfast.protocol.proto.NodeKindCode;
import io.holdfast.protocol.proto.OpenFrame;
import io.holdfast.protocol.proto.OperationMessage;
import io.holdfast.protocol.proto.PutOperation;
import io.holdfast.protocol.proto.QueryMessage;
import io.holdfast.protocol.proto.ReadFrame;
import io.holdfast.protocol.proto.RefusedFrame;
import io.holdfast.protocol.proto.RequestFrame;
import io.holdfast.protocol.proto.ServerBody;
import io.holdfast.protocol.proto.ServerMessage;
import io.holdfast.protocol.proto.UpFrame;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input, field by field. */
final class MalformedFrameTest {
    /** R8.4: the link to the leader is everybody's, and would end with a message that is too large for it. */
    @Test
    void theLargestMessageThatIsReadFromAClientFitsIntoTheLinkWhenItIsForwarded() {
        int beside =
                ClientCodec.encode(putOf(WireThreads.MAX_CLIENT_MESSAGE_BYTES)).getSerializedSize()
                        - WireThreads.MAX_CLIENT_MESSAGE_BYTES;
        ClientFrame largest = putOf(WireThreads.MAX_CLIENT_MESSAGE_BYTES - beside);
        assertThat(ClientCodec.encode(largest).getSerializedSize()).isEqualTo(WireThreads.MAX_CLIENT_MESSAGE_BYTES);

        UpstreamFrame small = new UpstreamFrame.Forward(1, new ClientFrame.Ping());
        UpstreamFrame forward = new UpstreamFrame.Forward(Long.MAX_VALUE, largest);
        assertThat(UpstreamCodec.encodeUp(List.of(small, forward, small)))
                .hasSize(3)
                .allMatch(message -> message.getSerializedSize() <= WireThreads.MAX_MESSAGE_BYTES);
    }

    private static ClientFrame putOf(int bytes) {
        NodePath path = new NodePath("/a");
        return new ClientFrame.OneShot(1, new Operation.Put(path, new byte[bytes], Operation.ANY_VERSION));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, -1})
    void anotherVersionIsRefused(int version) {
        MalformedFrameException e = refusalOf(ClientMessage.newBuilder()
                .setVersion(version)
                .setBody(ClientCodec.body(new ClientFrame.KeepAlive(1)))
                .build());

        assertThat(e.field()).isEqualTo("version");
        assertThat(e.refusable()).isFalse();
    }

    /** Taken for the first cell's own it would change the wrong state. */
    @Test
    void aFrameForAnotherCellStaysApart() throws Exception {
        UpFrame up = UpstreamCodec.encodeUp(List.of(new UpstreamFrame.StreamClosed(1)))
                .get(0)
                .getFrames(0);
        assertThat(UpstreamCodec.decode(up)).isEqualTo(new UpstreamFrame.StreamClosed(1));
        assertThat(UpstreamCodec.decode(up.toBuilder().setCell("shard-01").build()))
                .isEqualTo(new UpstreamFrame.ToCell("shard-01", new UpstreamFrame.StreamClosed(1)));
        MalformedFrameException e = catchThrowableOfType(
                MalformedFrameException.class,
                () -> UpstreamCodec.decode(
                        up.toBuilder().setCell("x".repeat(65)).build()));

        assertThat(e.field()).isEqualTo("frames.cell");
        assertThat(e.refusable()).isFalse();
    }

    @Test
    void anEmptyEnvelopeIsRefused() {
        assertThat(refusalOf(ClientBody.newBuilder()).field()).isEqualTo("frame");
    }

    /** C107: 65,536 bytes pass, one more is refused here, by its id and with the limit in the message. */
    @Test
    void aValueOneByteOverTheLimitIsRefusedByItsId() throws Exception {
        Operation.Put put = (Operation.Put)
                ((ClientFrame.Request) ClientCodec.decode(envelope(put(Limits.MAX_VALUE_BYTES)))).operation();
        assertThat(put.value()).hasSize(Limits.MAX_VALUE_BYTES);

        MalformedFrameException e = refusalOf(put(Limits.MAX_VALUE_BYTES + 1));

        ServerFrame.Refused refusal = e.refusal();
        assertThat(refusal.id()).isEqualTo(9);
        assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(refusal.definite()).isTrue();
        assertThat(refusal.message()).contains("65537").contains("65536").contains("put.value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "jobs", "/a/", "/a//b", "/a/../b", "/a\nb"})
    void aBadPathIsRefusedByItsId(String path) {
        MalformedFrameException e = refusalOf(ClientBody.newBuilder()
                .setRequest(RequestFrame.newBuilder()
                        .setRequestId(4)
                        .setOperation(OperationMessage.newBuilder()
                                .setAcquire(AcquireOperation.newBuilder().setLock(path)))));

        assertThat(e.refusal().id()).isEqualTo(4);
        assertThat(e.refusal().code()).isEqualTo(ErrorCode.INVALID);
        assertThat(e.field()).isEqualTo("acquire.lock");
        assertThat(e.problem()).doesNotContain("\n");
    }

    @Test
    void anUnknownModeAMissingOperationAndAMissingQueryAreRefused() {
        OperationMessage badMode = OperationMessage.newBuilder()
                .setAcquire(AcquireOperation.newBuilder().setLock("/l").setModeValue(7))
                .build();
        assertThat(refusalOf(request(badMode)).field()).isEqualTo("acquire.mode");
        assertThat(refusalOf(request(OperationMessage.getDefaultInstance())).field())
                .isEqualTo("operation");
        assertThat(refusalOf(ClientBody.newBuilder()
                                .setRead(ReadFrame.newBuilder().setCallId(1)))
                        .field())
                .isEqualTo("query");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_001})
    void aPageLimitOutOfRangeIsRefused(int limit) {
        QueryMessage query = QueryMessage.newBuilder()
                .setListChildren(ListChildrenQuery.newBuilder().setPath("/").setLimit(limit))
                .build();

        assertThat(refusalOf(ClientBody.newBuilder()
                                .setRead(ReadFrame.newBuilder().setCallId(1).setQuery(query)))
                        .field())
                .isEqualTo("list_children.limit");
    }

    @Test
    void aBadOpenOrAttachIsRefusedWithIdZero() {
        MalformedFrameException attach = refusalOf(ClientBody.newBuilder()
                .setAttach(AttachFrame.newBuilder().setSecret(ByteString.copyFrom(new byte[15]))));
        assertThat(attach.field()).isEqualTo("attach.secret");
        assertThat(attach.refusal().id()).isZero();

        MalformedFrameException open = refusalOf(ClientBody.newBuilder()
                .setOpen(OpenFrame.newBuilder()
                        .setSecret(ByteString.copyFrom(new byte[16]))
                        .setClientName("n".repeat(Limits.MAX_NAME_BYTES + 1))));
        assertThat(open.field()).isEqualTo("open.client_name");
        assertThat(open.refusal().code()).isEqualTo(ErrorCode.TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5})
    void aRequestWithoutAnIdCannotBeRefusedByIt(long id) {
        MalformedFrameException e = refusalOf(
                ClientBody.newBuilder().setRequest(RequestFrame.newBuilder().setRequestId(id)));

        assertThat(e.field()).isEqualTo("request.request_id");
        assertThat(e.refusable()).isFalse();
    }

    @Test
    void aCodeFromANewerServerIsReadAsInternal() throws Exception {
        ServerFrame frame = ServerCodec.decode(ServerMessage.newBuilder()
                .setVersion(Fields.VERSION)
                .setBody(ServerBody.newBuilder()
                        .setRefused(RefusedFrame.newBuilder().setId(1).setCodeValue(999)))
                .build());

        assertThat(((ServerFrame.Refused) frame).code()).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void theNumbersOnTheWireAreThoseOfTheModel() {
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(ErrorNumber.forNumber(code.code())).hasToString("ERROR_" + code.name());
        }
        for (NodeKind kind : NodeKind.values()) {
            assertThat(NodeKindCode.forNumber(kind.code())).hasToString("NODE_KIND_" + kind.name());
        }
        for (LockMode mode : LockMode.values()) {
            assertThat(LockModeCode.forNumber(mode.code())).hasToString("LOCK_MODE_" + mode.name());
        }
    }

    @Test
    void parsedBytesAreTakenOverAndPartsAreCopied() {
        byte[] whole = {1, 2, 3, 4};
        assertThat(Fields.unwrap(Fields.wrap(whole))).isSameAs(whole);
        assertThat(Fields.unwrap(Fields.wrap(whole).substring(1, 3))).containsExactly(2, 3);
        assertThat(Fields.unwrap(ByteString.EMPTY)).isEmpty();
        ByteString rope = ByteString.copyFrom(new byte[300]).concat(ByteString.copyFrom(new byte[] {5, 6}));
        assertThat(Fields.unwrap(rope)).hasSize(302).endsWith(5, 6);
    }

    private static ClientBody.Builder put(int valueBytes) {
        return request(OperationMessage.newBuilder()
                .setPut(PutOperation.newBuilder().setPath("/v").setValue(ByteString.copyFrom(new byte[valueBytes])))
                .build());
    }

    private static ClientBody.Builder request(OperationMessage operation) {
        return ClientBody.newBuilder()
                .setRequest(RequestFrame.newBuilder().setRequestId(9).setOperation(operation));
    }

    private static ClientMessage envelope(ClientBody.Builder body) {
        return ClientMessage.newBuilder()
                .setVersion(Fields.VERSION)
                .setBody(body)
                .build();
    }

    private static MalformedFrameException refusalOf(ClientBody.Builder body) {
        return refusalOf(envelope(body));
    }

    private static MalformedFrameException refusalOf(ClientMessage message) {
        return catchThrowableOfType(MalformedFrameException.class, () -> ClientCodec.decode(message));
    }
}
