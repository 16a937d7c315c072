package io.holdfast.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.protocol.proto.ClientMessage;
import io.holdfast.protocol.proto.DownFrame;
import io.holdfast.protocol.proto.DownMessage;
import io.holdfast.protocol.proto.ServerMessage;
import io.holdfast.protocol.proto.UpFrame;
import io.holdfast.protocol.proto.UpMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is sent arrives as it was; whatever else arrives is refused with the field's name, or understood. */
final class CodecPropertyTest {
    private static final int FRAMES = 4_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void clientFramesSurviveTheWire(long seed) throws Exception {
        RandomFrames frames = new RandomFrames(seed);
        Set<Class<?>> seen = new HashSet<>();
        for (int i = 0; i < FRAMES; i++) {
            ClientFrame frame = frames.clientFrame();
            byte[] wire = ClientCodec.encode(frame).toByteArray();
            ClientFrame back = ClientCodec.decode(ClientMessage.parseFrom(wire));
            assertThat(back).usingRecursiveComparison().isEqualTo(frame);
            seen.add(frame.getClass());
            if (frame instanceof ClientFrame.Request request) {
                seen.add(request.operation().getClass());
            } else if (frame instanceof ClientFrame.Read read) {
                seen.add(read.query().getClass());
            } else if (frame instanceof ClientFrame.Lease lease) {
                seen.add(lease.call().getClass());
            }
        }
        assertAllSeen(seen, ClientFrame.class, Operation.class, Query.class, LeaseCall.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void serverFramesSurviveTheWire(long seed) throws Exception {
        RandomFrames frames = new RandomFrames(seed);
        Set<Class<?>> seen = new HashSet<>();
        for (int i = 0; i < FRAMES; i++) {
            ServerFrame frame = frames.serverFrame();
            byte[] wire = ServerCodec.encode(frame).toByteArray();
            ServerFrame back = ServerCodec.decode(ServerMessage.parseFrom(wire));
            assertThat(back).usingRecursiveComparison().isEqualTo(frame);
            seen.add(frame.getClass());
            if (frame instanceof ServerFrame.Reply reply) {
                seen.add(reply.outcome().getClass());
                seen.add(
                        reply.outcome() instanceof Outcome.OfLease of
                                ? of.lease().getClass()
                                : reply.getClass());
            } else if (frame instanceof ServerFrame.ReadReply reply) {
                seen.add(reply.answer().getClass());
            }
        }
        seen.add(Answer.PlaceInfo.class);
        seen.add(Answer.SessionInfo.class);
        seen.add(Answer.ReplicaInfo.class);
        assertAllSeen(seen, ServerFrame.class, Outcome.class, Answer.class, LeaseOutcome.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void batchesSurviveTheWire(long seed) throws Exception {
        RandomFrames frames = new RandomFrames(seed);
        List<UpstreamFrame> up = List.of(
                new UpstreamFrame.Forward(frames.number(), frames.clientFrame()),
                new UpstreamFrame.StreamClosed(frames.number()),
                new UpstreamFrame.ClaimWatches(
                        frames.id(),
                        List.of(new UpstreamFrame.WatchedPath(frames.id(), WatchKind.CHILDREN, new NodePath("/a/b")))),
                new UpstreamFrame.DropWatches(List.of(frames.id(), frames.id())),
                new UpstreamFrame.KeepAlives(
                        frames.id(),
                        List.of(
                                new UpstreamFrame.Heard(
                                        frames.number(), new SessionId(frames.number()), frames.number()),
                                new UpstreamFrame.Heard(1, new SessionId(2), 3))),
                new UpstreamFrame.ToCell("shard-07", new UpstreamFrame.Forward(9, frames.clientFrame())),
                new UpstreamFrame.Forward(7, frames.clientFrame()));
        UpMessage upMessage =
                UpMessage.parseFrom(UpstreamCodec.encodeUp(up).get(0).toByteArray());
        for (int i = 0; i < up.size(); i++) {
            assertThat(UpstreamCodec.decode(upMessage.getFrames(i)))
                    .usingRecursiveComparison()
                    .isEqualTo(up.get(i));
        }
        List<DownstreamFrame> down = List.of(
                new DownstreamFrame.Deliver(frames.number(), frames.serverFrame()),
                new DownstreamFrame.NotLeader("deposed"),
                new DownstreamFrame.WatchesFired(frames.number(), List.of(1L, 5L)),
                new DownstreamFrame.WatchesClaimed(frames.number(), frames.number(), List.of(0L, 9L)),
                new DownstreamFrame.WatchClaimsRefused(frames.number(), ErrorCode.LIMIT, "no more fit"),
                new DownstreamFrame.KeepAlivesSettled(
                        frames.number(), frames.number(), List.of(0, 3), List.of(2, 4), List.of(1)),
                new DownstreamFrame.KeepAlivesRefused(frames.number(), ErrorCode.BUSY, "too much waits"),
                new DownstreamFrame.FromCell("shard-07", new DownstreamFrame.NotLeader("deposed")),
                new DownstreamFrame.Deliver(3, frames.serverFrame()));
        DownMessage downMessage =
                DownMessage.parseFrom(UpstreamCodec.encodeDown(down).get(0).toByteArray());
        for (int i = 0; i < down.size(); i++) {
            assertThat(UpstreamCodec.decode(downMessage.getFrames(i)))
                    .usingRecursiveComparison()
                    .isEqualTo(down.get(i));
        }
    }

    @Test
    void aBatchIsSplitAtOneMegabyteInOrder() {
        byte[] value = new byte[Limits.MAX_VALUE_BYTES];
        List<UpstreamFrame> up = new ArrayList<>();
        List<DownstreamFrame> down = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            Operation put = new Operation.Put(NodePath.ROOT, value, Operation.ANY_VERSION);
            up.add(new UpstreamFrame.Forward(i, new ClientFrame.OneShot(i, put)));
            Answer answer = new Answer.Value(NodePath.ROOT, value, 1, 1, 1);
            down.add(new DownstreamFrame.Deliver(i, new ServerFrame.ReadReply(i, answer)));
        }

        List<Long> upStreams = new ArrayList<>();
        for (UpMessage message : UpstreamCodec.encodeUp(up)) {
            assertThat(message.getSerializedSize()).isLessThanOrEqualTo(Limits.MAX_BATCH_BYTES);
            message.getFramesList().forEach(f -> upStreams.add(f.getForward().getStream()));
        }
        List<Long> downStreams = new ArrayList<>();
        for (DownMessage message : UpstreamCodec.encodeDown(down)) {
            assertThat(message.getSerializedSize()).isLessThanOrEqualTo(Limits.MAX_BATCH_BYTES);
            message.getFramesList().forEach(f -> downStreams.add(f.getDeliver().getStream()));
        }

        assertThat(upStreams).hasSize(40).isSorted();
        assertThat(downStreams).hasSize(40).isSorted();
    }

    /** Bytes changed, cut and invented: a typed refusal or a valid frame, never anything else. */
    @Test
    void garbageIsRefusedWithAFieldName() {
        RandomFrames frames = new RandomFrames(42);
        int refused = 0;
        int understood = 0;
        int noMessage = 0;
        for (int i = 0; i < 30_000; i++) {
            byte[] wire = damaged(frames);
            try {
                decodeAs(i % 4, wire);
                understood++;
            } catch (MalformedFrameException e) {
                assertThat(e.field()).isNotEmpty();
                assertThat(e.problem()).startsWith(e.field());
                refused++;
            } catch (InvalidProtocolBufferException e) {
                noMessage++;
            }
        }
        assertThat(refused).isGreaterThan(100);
        assertThat(understood).isGreaterThan(100);
        assertThat(noMessage).isGreaterThan(100);
    }

    private static byte[] damaged(RandomFrames frames) {
        byte[] wire = switch (frames.below(3)) {
            case 0 -> frames.bytes(frames.below(60));
            case 1 -> ClientCodec.encode(frames.clientFrame()).toByteArray();
            default -> ServerCodec.encode(frames.serverFrame()).toByteArray();
        };
        for (int flips = frames.below(4); flips > 0 && wire.length > 0; flips--) {
            wire[frames.below(Math.min(wire.length, 80))] = (byte) frames.below(256);
        }
        return wire;
    }

    private static void decodeAs(int kind, byte[] wire) throws MalformedFrameException, InvalidProtocolBufferException {
        switch (kind) {
            case 0 -> ClientCodec.decode(ClientMessage.parseFrom(wire));
            case 1 -> ServerCodec.decode(ServerMessage.parseFrom(wire));
            case 2 -> {
                for (UpFrame frame : UpMessage.parseFrom(wire).getFramesList()) {
                    UpstreamCodec.decode(frame);
                }
            }
            default -> {
                for (DownFrame frame : DownMessage.parseFrom(wire).getFramesList()) {
                    UpstreamCodec.decode(frame);
                }
            }
        }
    }

    private static void assertAllSeen(Set<Class<?>> seen, Class<?>... sealedTypes) {
        for (Class<?> type : sealedTypes) {
            assertThat(seen).contains(type.getPermittedSubclasses());
        }
    }
}
