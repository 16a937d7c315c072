package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.raft.EntryType;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.ReplicaId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R8.4: what waits is bounded, by count and by bytes. */
class MailboxTest {
    private final Mailbox mailbox = new Mailbox(() -> {});

    private static LoopInput fromUpstream(int valueBytes) {
        Operation put = new Operation.Put(new NodePath("/v"), new byte[valueBytes], Operation.ANY_VERSION);
        return new LoopInput.FromUpstream(7, new UpstreamFrame.Forward(1, new ClientFrame.OneShot(1, put)));
    }

    private static LoopInput fromPeer(byte[] data) {
        LogEntry entry = new LogEntry(1, 1, EntryType.COMMAND, data);
        RaftMessage append = new RaftMessage.AppendRequest(1, 0, 0, List.of(entry), 0, 0);
        ReplicaId id = new ReplicaId("r1@1");
        return new LoopInput.FromPeer(
                new PeerFrame.Messages(id, id, List.of(new CellMessage(TestReplica.CELL, append))));
    }

    @Test
    void theNumberOfFramesIsBounded() {
        for (int i = 0; i < Mailbox.MAX_WAITING; i++) {
            assertThat(mailbox.offer(fromUpstream(0))).isTrue();
        }
        assertThat(mailbox.offer(fromPeer(new byte[0]))).isFalse();
        assertThat(mailbox.offer(fromUpstream(0))).isFalse();
        assertThat(mailbox.offer(new LoopInput.Internal(() -> {}))).isTrue();
        assertThat(mailbox.takeAll()).hasSize(Mailbox.MAX_WAITING + 1);
        assertThat(mailbox.offer(fromUpstream(0))).isFalse(); // no hole in the link's order
        assertThat(mailbox.overrunLinks()).containsExactly(7L);
        assertThat(mailbox.offer(fromUpstream(0)))
                .as("nor while the link is being cut")
                .isFalse();
    }

    /** Frames are large as well as many. */
    @Test
    void theBytesOfFramesAreBounded() {
        int size = 1 << 20;
        byte[] data = new byte[size];
        int taken = 0;
        while (mailbox.offer(fromPeer(data))) {
            taken++;
        }
        assertThat((long) taken * size).isBetween(Mailbox.MAX_WAITING_BYTES - 2L * size, Mailbox.MAX_WAITING_BYTES);
        int small = 0;
        while (mailbox.offer(fromUpstream(60_000))) {
            small++;
        }
        assertThat(small).isLessThan(18);
        assertThat(mailbox.overrunLinks()).containsExactly(7L);
        assertThat(mailbox.offer(new LoopInput.PeerClosed("r2"))).isTrue();
        mailbox.takeAll();
        mailbox.linkCut(7);
        assertThat(mailbox.offer(fromPeer(data))).isTrue();
        assertThat(mailbox.offer(fromUpstream(60_000))).isTrue();
    }
}
