package io.holdfast.replica.grpc;

import io.holdfast.model.Limits;
import io.holdfast.protocol.codec.Fields;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.proto.CellMessageFrame;
import io.holdfast.protocol.proto.CellReportMessage;
import io.holdfast.protocol.proto.GreetingFrame;
import io.holdfast.protocol.proto.MessagesFrame;
import io.holdfast.protocol.proto.PeerMessage;
import io.holdfast.protocol.proto.StatusFrame;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.CellMessage;
import io.holdfast.replica.CellReport;
import io.holdfast.replica.PeerFrame;
import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link PeerFrame} and its messages.
 *
 * <p><b>Thread:</b> any.
 */
final class PeerCodec {
    private static final int MESSAGE_OVERHEAD_BYTES = 64;

    private PeerCodec() {}

    /** The messages for a frame, in order: each at most {@link Limits#MAX_BATCH_BYTES}, or one consensus message. */
    static List<PeerMessage> encode(PeerFrame frame) {
        if (frame instanceof PeerFrame.Messages messages) {
            return encodeMessages(messages);
        }
        if (frame instanceof PeerFrame.Greeting greeting) {
            GreetingFrame.Builder body = GreetingFrame.newBuilder()
                    .setFrom(greeting.from().value())
                    .setDeployment(greeting.deployment())
                    .setShards(greeting.shards());
            greeting.members().forEach(id -> body.addMembers(id.value()));
            greeting.heard().forEach(id -> body.addHeard(id.value()));
            return List.of(envelope().setGreeting(body).build());
        }
        if (frame instanceof PeerFrame.Status status) {
            StatusFrame.Builder body = StatusFrame.newBuilder()
                    .setFrom(status.from().value())
                    .setTo(status.to().value())
                    .setRefusesLeads(status.refusesLeads());
            for (CellReport report : status.cells()) {
                body.addCells(CellReportMessage.newBuilder()
                        .setCell(report.cell().value())
                        .setAppliedIndex(report.appliedIndex())
                        .setDigest(report.digest())
                        .setRole(report.role()));
            }
            return List.of(envelope().setStatus(body).build());
        }
        throw new AssertionError("frame without a message: " + frame.getClass());
    }

    private static List<PeerMessage> encodeMessages(PeerFrame.Messages frame) {
        List<PeerMessage> messages = new ArrayList<>(1);
        MessagesFrame.Builder body = messagesOf(frame);
        int bytes = MESSAGE_OVERHEAD_BYTES;
        for (CellMessage each : frame.messages()) {
            CellMessageFrame message = RaftMessageCodec.encode(each);
            int messageBytes = message.getSerializedSize() + 8;
            if (body.getMessagesCount() > 0 && bytes + messageBytes > Limits.MAX_BATCH_BYTES) {
                messages.add(envelope().setMessages(body).build());
                body = messagesOf(frame);
                bytes = MESSAGE_OVERHEAD_BYTES;
            }
            body.addMessages(message);
            bytes += messageBytes;
        }
        messages.add(envelope().setMessages(body).build());
        return messages;
    }

    private static MessagesFrame.Builder messagesOf(PeerFrame.Messages frame) {
        return MessagesFrame.newBuilder()
                .setFrom(frame.from().value())
                .setTo(frame.to().value())
                .setShards(frame.shards());
    }

    private static PeerMessage.Builder envelope() {
        return PeerMessage.newBuilder().setVersion(Fields.VERSION);
    }

    /**
     * The frame in a message.
     *
     * @throws MalformedFrameException if any part of it is invalid
     */
    static PeerFrame decode(PeerMessage message) throws MalformedFrameException {
        Fields.checkVersion(message.getVersion());
        switch (message.getFrameCase()) {
            case MESSAGES: {
                MessagesFrame body = message.getMessages();
                List<CellMessage> messages = new ArrayList<>(body.getMessagesCount());
                for (CellMessageFrame each : body.getMessagesList()) {
                    messages.add(RaftMessageCodec.decode(each));
                }
                return new PeerFrame.Messages(
                        replica("messages.from", body.getFrom()),
                        replica("messages.to", body.getTo()),
                        messages,
                        body.getShards());
            }
            case GREETING: {
                GreetingFrame body = message.getGreeting();
                return new PeerFrame.Greeting(
                        replica("greeting.from", body.getFrom()),
                        body.getDeployment(),
                        replicas("greeting.members", body.getMembersList()),
                        replicas("greeting.heard", body.getHeardList()),
                        body.getShards());
            }
            case STATUS: {
                StatusFrame body = message.getStatus();
                List<CellReport> reports = new ArrayList<>(body.getCellsCount());
                for (CellReportMessage report : body.getCellsList()) {
                    reports.add(new CellReport(
                            cell("status.cells.cell", report.getCell()),
                            report.getAppliedIndex(),
                            report.getDigest(),
                            report.getRole()));
                }
                return new PeerFrame.Status(
                        replica("status.from", body.getFrom()),
                        replica("status.to", body.getTo()),
                        reports,
                        body.getRefusesLeads());
            }
            case FRAME_NOT_SET:
                break;
        }
        throw MalformedFrameException.invalid("frame", "missing, or from a newer version");
    }

    /** What a frame is charged for while it waits, in bytes. */
    static int sizeOf(PeerFrame frame) {
        if (!(frame instanceof PeerFrame.Messages messages)) {
            return 512;
        }
        int bytes = MESSAGE_OVERHEAD_BYTES;
        for (CellMessage each : messages.messages()) {
            bytes += 96;
            if (each.message() instanceof RaftMessage.AppendRequest append) {
                for (LogEntry entry : append.entries()) {
                    bytes += entry.sizeBytes();
                }
            } else if (each.message() instanceof RaftMessage.SnapshotChunk chunk) {
                bytes += chunk.data().length;
            }
        }
        return bytes;
    }

    static CellId cell(String field, String text) throws MalformedFrameException {
        try {
            return new CellId(text);
        } catch (IllegalArgumentException e) {
            throw MalformedFrameException.invalid(field, "no cell name");
        }
    }

    static ReplicaId replica(String field, String text) throws MalformedFrameException {
        if (text.isEmpty() || text.length() > Limits.MAX_NAME_BYTES) {
            throw MalformedFrameException.invalid(
                    field, "a replica id has 1 to " + Limits.MAX_NAME_BYTES + " characters");
        }
        return new ReplicaId(text);
    }

    static List<ReplicaId> replicas(String field, List<String> texts) throws MalformedFrameException {
        List<ReplicaId> ids = new ArrayList<>(texts.size());
        for (String text : texts) {
            ids.add(replica(field, text));
        }
        return ids;
    }
}
