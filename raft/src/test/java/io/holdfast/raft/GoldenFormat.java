package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftMessage.PreVoteRequest;
import io.holdfast.raft.RaftMessage.PreVoteResponse;
import io.holdfast.raft.RaftMessage.SnapshotChunk;
import io.holdfast.raft.RaftMessage.SnapshotResponse;
import io.holdfast.raft.RaftMessage.TimeoutNow;
import io.holdfast.raft.RaftMessage.VoteRequest;
import io.holdfast.raft.RaftMessage.VoteResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Outputs as lines of a golden file. */
final class GoldenFormat {
    private GoldenFormat() {}

    static String lines(ReplicaId id, RaftOutput output, boolean resultsOnly) {
        StringBuilder out = new StringBuilder();
        RaftOutput.RoleChange role = output.roleChange();
        if (role != null) {
            String leader = RaftMessage.nameOf(role.leader());
            line(out, id, "is " + role.role() + " term=" + role.term() + " leader=" + leader);
        }
        if (output.persist() != null && !resultsOnly) {
            line(out, id, persist(output.persist()));
        }
        if (!resultsOnly) {
            output.messages().forEach(each -> line(out, id, "-> " + each.to() + " " + text(each.message())));
        }
        output.committed().forEach(entry -> line(out, id, "applies " + text(entry)));
        output.refused().forEach(refused -> line(out, id, "refuses " + refused.tag() + " " + refused.reason()));
        output.reads().forEach(read -> line(out, id, "confirms read " + read.tag() + " at " + read.index()));
        output.readChunks().forEach(chunk -> line(out, id, "reads snapshot at " + chunk.offset()));
        output.writeChunks().forEach(chunk -> line(out, id, "writes snapshot at " + chunk.offset()));
        return out.toString();
    }

    private static void line(StringBuilder out, ReplicaId id, String text) {
        out.append(id).append(' ').append(text).append('\n');
    }

    private static String persist(RaftOutput.Persist persist) {
        String hardState = persist.hardState() == null
                ? ""
                : " term=" + persist.hardState().term() + " vote="
                        + RaftMessage.nameOf(persist.hardState().votedFor());
        RaftOutput.LogBase base = persist.base();
        String moved = base == null
                ? ""
                : " base=" + base.index() + "/" + base.term() + (base.discardTail() ? " discarding the rest" : "");
        return "persists #" + persist.sequence() + hardState + moved + " " + text(persist.entries());
    }

    private static String text(List<LogEntry> entries) {
        return entries.stream().map(GoldenFormat::text).toList().toString();
    }

    private static String text(LogEntry entry) {
        String data = switch (entry.type()) {
            case NOOP -> "noop";
            case COMMAND -> new String(entry.data(), StandardCharsets.UTF_8);
            case MEMBERSHIP -> text(MembershipCodec.decode(entry.data()));
        };
        return entry.index() + "/" + entry.term() + " " + data;
    }

    static String text(Membership membership) {
        return "voters" + membership.voters() + " learners" + membership.learners();
    }

    private static String text(RaftMessage message) {
        if (message instanceof PreVoteRequest m) {
            return "prevote? term=" + m.term() + " log=" + m.lastLogIndex() + "/" + m.lastLogTerm();
        } else if (message instanceof PreVoteResponse m) {
            return "prevote " + (m.granted() ? "yes" : "no") + " term=" + m.term() + " asked=" + m.requestTerm();
        } else if (message instanceof VoteRequest m) {
            String transfer = m.transfer() ? " transfer" : "";
            return "vote? term=" + m.term() + " log=" + m.lastLogIndex() + "/" + m.lastLogTerm() + transfer;
        } else if (message instanceof VoteResponse m) {
            return "vote " + (m.granted() ? "yes" : "no") + " term=" + m.term();
        } else if (message instanceof AppendRequest m) {
            return "append term=" + m.term() + " prev=" + m.prevIndex() + "/" + m.prevTerm() + " " + text(m.entries())
                    + " commit=" + m.commitIndex() + " round=" + m.round();
        } else if (message instanceof AppendResponse m) {
            String result = m.success() ? "match=" + m.matchIndex() : "no hint=" + m.hintIndex() + "/" + m.hintTerm();
            return "append-answer term=" + m.term() + " " + result + " round=" + m.round();
        } else if (message instanceof SnapshotChunk m) {
            return "snapshot term=" + m.term() + " of=" + m.meta().index() + " offset=" + m.offset()
                    + (m.last() ? " last" : "");
        } else if (message instanceof SnapshotResponse m) {
            return "snapshot-answer term=" + m.term() + " of=" + m.snapshotIndex()
                    + (m.installed() ? " installed" : " next=" + m.nextOffset());
        } else if (message instanceof TimeoutNow m) {
            return "stand-now term=" + m.term();
        }
        throw new IllegalArgumentException(message.toString());
    }
}
