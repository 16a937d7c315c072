package io.holdfast.replica.grpc;

import io.holdfast.protocol.codec.Fields;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.proto.AppendRequestMessage;
import io.holdfast.protocol.proto.AppendResponseMessage;
import io.holdfast.protocol.proto.CellMessageFrame;
import io.holdfast.protocol.proto.LogEntryMessage;
import io.holdfast.protocol.proto.PreVoteRequestMessage;
import io.holdfast.protocol.proto.PreVoteResponseMessage;
import io.holdfast.protocol.proto.SnapshotChunkMessage;
import io.holdfast.protocol.proto.SnapshotMetaMessage;
import io.holdfast.protocol.proto.SnapshotResponseMessage;
import io.holdfast.protocol.proto.TimeoutNowMessage;
import io.holdfast.protocol.proto.VoteRequestMessage;
import io.holdfast.protocol.proto.VoteResponseMessage;
import io.holdfast.raft.EntryType;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.Membership;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.SnapshotMeta;
import io.holdfast.replica.CellMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** {@link RaftMessage} and its message. The bytes of log entries and snapshots are never copied on the way out. */
final class RaftMessageCodec {
    private RaftMessageCodec() {}

    static CellMessageFrame encode(CellMessage message) {
        CellMessageFrame.Builder frame =
                CellMessageFrame.newBuilder().setCell(message.cell().value());
        RaftMessage raft = message.message();
        if (raft instanceof RaftMessage.AppendRequest append) {
            frame.setAppendRequest(append(append));
        } else if (raft instanceof RaftMessage.AppendResponse response) {
            frame.setAppendResponse(AppendResponseMessage.newBuilder()
                    .setTerm(response.term())
                    .setSuccess(response.success())
                    .setMatchIndex(response.matchIndex())
                    .setHintIndex(response.hintIndex())
                    .setHintTerm(response.hintTerm())
                    .setRound(response.round()));
        } else if (raft instanceof RaftMessage.SnapshotChunk chunk) {
            frame.setSnapshotChunk(chunk(chunk));
        } else if (raft instanceof RaftMessage.SnapshotResponse response) {
            frame.setSnapshotResponse(SnapshotResponseMessage.newBuilder()
                    .setTerm(response.term())
                    .setSnapshotIndex(response.snapshotIndex())
                    .setNextOffset(response.nextOffset())
                    .setInstalled(response.installed())
                    .setRound(response.round()));
        } else {
            electionMessage(frame, raft);
        }
        return frame.build();
    }

    private static void electionMessage(CellMessageFrame.Builder frame, RaftMessage raft) {
        if (raft instanceof RaftMessage.PreVoteRequest request) {
            frame.setPreVoteRequest(PreVoteRequestMessage.newBuilder()
                    .setTerm(request.term())
                    .setLastLogIndex(request.lastLogIndex())
                    .setLastLogTerm(request.lastLogTerm()));
        } else if (raft instanceof RaftMessage.PreVoteResponse response) {
            frame.setPreVoteResponse(PreVoteResponseMessage.newBuilder()
                    .setTerm(response.term())
                    .setRequestTerm(response.requestTerm())
                    .setGranted(response.granted()));
        } else if (raft instanceof RaftMessage.VoteRequest request) {
            frame.setVoteRequest(VoteRequestMessage.newBuilder()
                    .setTerm(request.term())
                    .setLastLogIndex(request.lastLogIndex())
                    .setLastLogTerm(request.lastLogTerm())
                    .setTransfer(request.transfer()));
        } else if (raft instanceof RaftMessage.VoteResponse response) {
            frame.setVoteResponse(
                    VoteResponseMessage.newBuilder().setTerm(response.term()).setGranted(response.granted()));
        } else if (raft instanceof RaftMessage.TimeoutNow timeoutNow) {
            frame.setTimeoutNow(
                    TimeoutNowMessage.newBuilder().setTerm(timeoutNow.term()).setSlowDisks(timeoutNow.slowDisks()));
        } else {
            throw new AssertionError("raft message without a message: " + raft.getClass());
        }
    }

    private static AppendRequestMessage append(RaftMessage.AppendRequest append) {
        AppendRequestMessage.Builder message = AppendRequestMessage.newBuilder()
                .setTerm(append.term())
                .setPrevIndex(append.prevIndex())
                .setPrevTerm(append.prevTerm())
                .setCommitIndex(append.commitIndex())
                .setRound(append.round());
        for (LogEntry entry : append.entries()) {
            message.addEntries(LogEntryMessage.newBuilder()
                    .setIndex(entry.index())
                    .setTerm(entry.term())
                    .setType(entry.type().code())
                    .setData(Fields.wrap(entry.data())));
        }
        return message.build();
    }

    private static SnapshotChunkMessage chunk(RaftMessage.SnapshotChunk chunk) {
        SnapshotMetaMessage.Builder meta = SnapshotMetaMessage.newBuilder()
                .setIndex(chunk.meta().index())
                .setTerm(chunk.meta().term());
        chunk.meta().membership().voters().forEach(id -> meta.addVoters(id.value()));
        chunk.meta().membership().learners().forEach(id -> meta.addLearners(id.value()));
        return SnapshotChunkMessage.newBuilder()
                .setTerm(chunk.term())
                .setMeta(meta)
                .setOffset(chunk.offset())
                .setData(Fields.wrap(chunk.data()))
                .setLast(chunk.last())
                .setRound(chunk.round())
                .build();
    }

    static CellMessage decode(CellMessageFrame frame) throws MalformedFrameException {
        return new CellMessage(PeerCodec.cell("messages.cell", frame.getCell()), message(frame));
    }

    private static RaftMessage message(CellMessageFrame frame) throws MalformedFrameException {
        switch (frame.getMessageCase()) {
            case APPEND_REQUEST:
                return append(frame.getAppendRequest());
            case APPEND_RESPONSE: {
                AppendResponseMessage response = frame.getAppendResponse();
                return new RaftMessage.AppendResponse(
                        response.getTerm(),
                        response.getSuccess(),
                        response.getMatchIndex(),
                        response.getHintIndex(),
                        response.getHintTerm(),
                        response.getRound());
            }
            case SNAPSHOT_CHUNK:
                return chunk(frame.getSnapshotChunk());
            case SNAPSHOT_RESPONSE: {
                SnapshotResponseMessage response = frame.getSnapshotResponse();
                return new RaftMessage.SnapshotResponse(
                        response.getTerm(),
                        response.getSnapshotIndex(),
                        response.getNextOffset(),
                        response.getInstalled(),
                        response.getRound());
            }
            case PRE_VOTE_REQUEST: {
                PreVoteRequestMessage request = frame.getPreVoteRequest();
                return new RaftMessage.PreVoteRequest(
                        request.getTerm(), request.getLastLogIndex(), request.getLastLogTerm());
            }
            case PRE_VOTE_RESPONSE: {
                PreVoteResponseMessage response = frame.getPreVoteResponse();
                return new RaftMessage.PreVoteResponse(
                        response.getTerm(), response.getRequestTerm(), response.getGranted());
            }
            case VOTE_REQUEST: {
                VoteRequestMessage request = frame.getVoteRequest();
                return new RaftMessage.VoteRequest(
                        request.getTerm(), request.getLastLogIndex(), request.getLastLogTerm(), request.getTransfer());
            }
            case VOTE_RESPONSE: {
                VoteResponseMessage response = frame.getVoteResponse();
                return new RaftMessage.VoteResponse(response.getTerm(), response.getGranted());
            }
            case TIMEOUT_NOW:
                return new RaftMessage.TimeoutNow(
                        frame.getTimeoutNow().getTerm(),
                        Math.max(0, frame.getTimeoutNow().getSlowDisks()));
            case MESSAGE_NOT_SET:
                break;
        }
        throw MalformedFrameException.invalid("messages.message", "missing, or from a newer version");
    }

    private static RaftMessage append(AppendRequestMessage append) throws MalformedFrameException {
        List<LogEntry> entries = new ArrayList<>(append.getEntriesCount());
        for (LogEntryMessage entry : append.getEntriesList()) {
            entries.add(new LogEntry(
                    entry.getIndex(), entry.getTerm(), entryType(entry.getType()), Fields.unwrap(entry.getData())));
        }
        return new RaftMessage.AppendRequest(
                append.getTerm(),
                append.getPrevIndex(),
                append.getPrevTerm(),
                entries,
                append.getCommitIndex(),
                append.getRound());
    }

    private static EntryType entryType(int code) throws MalformedFrameException {
        try {
            return EntryType.of(code);
        } catch (IllegalArgumentException e) {
            throw MalformedFrameException.invalid("append_request.entries.type", "unknown entry type " + code);
        }
    }

    private static RaftMessage chunk(SnapshotChunkMessage chunk) throws MalformedFrameException {
        SnapshotMetaMessage meta = chunk.getMeta();
        Membership membership;
        try {
            membership = new Membership(
                    new TreeSet<>(PeerCodec.replicas("snapshot_chunk.meta.voters", meta.getVotersList())),
                    new TreeSet<>(PeerCodec.replicas("snapshot_chunk.meta.learners", meta.getLearnersList())));
        } catch (IllegalArgumentException e) {
            throw MalformedFrameException.invalid("snapshot_chunk.meta", String.valueOf(e.getMessage()));
        }
        return new RaftMessage.SnapshotChunk(
                chunk.getTerm(),
                new SnapshotMeta(meta.getIndex(), meta.getTerm(), membership),
                chunk.getOffset(),
                Fields.unwrap(chunk.getData()),
                chunk.getLast(),
                chunk.getRound());
    }
}
