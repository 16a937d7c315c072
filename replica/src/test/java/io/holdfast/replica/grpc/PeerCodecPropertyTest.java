package io.holdfast.replica.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.model.Limits;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.proto.CellMessageFrame;
import io.holdfast.protocol.proto.MessagesFrame;
import io.holdfast.protocol.proto.PeerMessage;
import io.holdfast.raft.EntryType;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.Membership;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.ReplicaId;
import io.holdfast.raft.SnapshotMeta;
import io.holdfast.replica.CellMessage;
import io.holdfast.replica.CellReport;
import io.holdfast.replica.PeerFrame;
import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PeerCodecPropertyTest {
    private Random random = new Random(1);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void framesSurviveTheWire(long seed) throws Exception {
        random = new Random(seed);
        Set<Class<?>> seen = new HashSet<>();
        for (int i = 0; i < 800; i++) {
            PeerFrame frame = frame();
            List<PeerMessage> messages = PeerCodec.encode(frame);
            assertThat(messages).hasSize(1);
            PeerFrame back =
                    PeerCodec.decode(PeerMessage.parseFrom(messages.get(0).toByteArray()));
            assertThat(back).usingRecursiveComparison().isEqualTo(frame);
            seen.add(frame.getClass());
            if (frame instanceof PeerFrame.Messages of) {
                of.messages().forEach(each -> seen.add(each.message().getClass()));
            }
        }
        assertThat(seen).contains(PeerFrame.class.getPermittedSubclasses());
        assertThat(seen).contains(RaftMessage.class.getPermittedSubclasses());
    }

    /** R8.4: what many cells have to say in one turn does not fit one message. */
    @Test
    void aFrameOfManyCellsIsSplitInOrder() throws Exception {
        List<CellMessage> messages = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            LogEntry entry = new LogEntry(i, 1, EntryType.COMMAND, new byte[300_000]);
            messages.add(new CellMessage(
                    new CellId("shard-" + i), new RaftMessage.AppendRequest(1, i, 1, List.of(entry), 0, 0)));
        }
        PeerFrame.Messages frame = new PeerFrame.Messages(new ReplicaId("r1@a"), new ReplicaId("r2@b"), messages);

        List<CellMessage> back = new ArrayList<>();
        for (PeerMessage message : PeerCodec.encode(frame)) {
            assertThat(message.getSerializedSize()).isLessThanOrEqualTo(Limits.MAX_BATCH_BYTES);
            PeerFrame.Messages part = (PeerFrame.Messages) PeerCodec.decode(message);
            assertThat(part.from()).isEqualTo(frame.from());
            assertThat(part.to()).isEqualTo(frame.to());
            back.addAll(part.messages());
        }
        assertThat(back).usingRecursiveComparison().isEqualTo(messages);
    }

    /** The largest append that consensus makes fits what a peer reads. */
    @Test
    void theLargestAppendFits() {
        List<LogEntry> entries = new ArrayList<>();
        for (int bytes = 0; bytes < Limits.MAX_BATCH_BYTES; ) {
            LogEntry entry = new LogEntry(Long.MAX_VALUE, Long.MAX_VALUE, EntryType.COMMAND, new byte[1]);
            entries.add(entry);
            bytes += entry.sizeBytes();
        }
        entries.add(new LogEntry(1, 1, EntryType.COMMAND, new byte[Limits.MAX_BATCH_BYTES - 1_024]));
        PeerFrame frame = new PeerFrame.Messages(
                new ReplicaId("r1@a"),
                new ReplicaId("r2@b"),
                List.of(new CellMessage(new CellId("main"), new RaftMessage.AppendRequest(1, 1, 1, entries, 1, 1))));

        assertThat(PeerCodec.encode(frame))
                .singleElement()
                .satisfies(message ->
                        assertThat(message.getSerializedSize()).isLessThanOrEqualTo(WireThreads.MAX_MESSAGE_BYTES));
        assertThat(PeerCodec.sizeOf(frame)).isGreaterThan(Limits.MAX_BATCH_BYTES);
    }

    @Test
    void garbageIsRefusedWithAFieldName() {
        int refused = 0;
        int understood = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] wire = random.nextInt(3) == 0
                    ? bytes(random.nextInt(50))
                    : PeerCodec.encode(frame()).get(0).toByteArray();
            for (int flips = random.nextInt(4); flips > 0 && wire.length > 0; flips--) {
                wire[random.nextInt(Math.min(100, wire.length))] = (byte) random.nextInt();
            }
            try {
                PeerCodec.decode(PeerMessage.parseFrom(wire));
                understood++;
            } catch (MalformedFrameException e) {
                assertThat(e.problem()).startsWith(e.field());
                refused++;
            } catch (InvalidProtocolBufferException e) {
                // no message at all
            }
        }
        assertThat(refused).isGreaterThan(100);
        assertThat(understood).isGreaterThan(100);
    }

    @Test
    void emptyNamesAreRefused() {
        MessagesFrame.Builder noSender = MessagesFrame.newBuilder().setTo("r2@b");
        assertRefused(noSender, "messages.from");
        MessagesFrame.Builder noMessage = MessagesFrame.newBuilder()
                .setFrom("r1@a")
                .setTo("r2@b")
                .addMessages(CellMessageFrame.newBuilder().setCell("main"));
        assertRefused(noMessage, "messages.message");
        assertRefused(noMessage.clone().setMessages(0, CellMessageFrame.newBuilder()), "messages.cell");
    }

    private static void assertRefused(MessagesFrame.Builder body, String field) {
        PeerMessage message =
                PeerMessage.newBuilder().setVersion(1).setMessages(body).build();
        assertThatThrownBy(() -> PeerCodec.decode(message))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageStartingWith(field);
    }

    private PeerFrame frame() {
        return switch (random.nextInt(4)) {
            case 0 -> new PeerFrame.Greeting(replica(), "home", replicas(), replicas());
            case 1 -> {
                List<CellReport> reports = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    reports.add(new CellReport(cell(), random.nextLong(), "beef", "follower"));
                }
                yield new PeerFrame.Status(replica(), replica(), reports);
            }
            default -> {
                List<CellMessage> messages = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    messages.add(new CellMessage(cell(), message()));
                }
                yield new PeerFrame.Messages(replica(), replica(), messages);
            }
        };
    }

    private RaftMessage message() {
        long a = random.nextLong();
        long b = random.nextInt(1_000);
        long c = random.nextLong();
        boolean flag = random.nextBoolean();
        return switch (random.nextInt(9)) {
            case 0 -> new RaftMessage.PreVoteRequest(a, b, c);
            case 1 -> new RaftMessage.PreVoteResponse(a, b, flag);
            case 2 -> new RaftMessage.VoteRequest(a, b, c, flag);
            case 3 -> new RaftMessage.VoteResponse(a, flag);
            case 4 -> new RaftMessage.AppendRequest(a, b, c, entries(), b, a);
            case 5 -> new RaftMessage.AppendResponse(a, flag, b, c, a, b);
            case 6 ->
                new RaftMessage.SnapshotChunk(
                        a,
                        new SnapshotMeta(b, c, new Membership(new TreeSet<>(replicas()), new TreeSet<>())),
                        b,
                        bytes(random.nextInt(300)),
                        flag,
                        c);
            case 7 -> new RaftMessage.SnapshotResponse(a, b, c, flag, a);
            default -> new RaftMessage.TimeoutNow(a, random.nextInt(40));
        };
    }

    private List<LogEntry> entries() {
        List<LogEntry> entries = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            EntryType type = EntryType.values()[random.nextInt(EntryType.values().length)];
            entries.add(new LogEntry(random.nextLong(), random.nextLong(), type, bytes(random.nextInt(200))));
        }
        return entries;
    }

    private List<ReplicaId> replicas() {
        List<ReplicaId> ids = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            ids.add(replica());
        }
        return ids;
    }

    private ReplicaId replica() {
        return new ReplicaId("r" + random.nextInt(5) + "@" + Integer.toHexString(random.nextInt()));
    }

    private CellId cell() {
        return new CellId("shard-" + random.nextInt(20));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
