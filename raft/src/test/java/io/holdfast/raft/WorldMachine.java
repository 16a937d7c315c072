package io.holdfast.raft;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The state machine of a test replica: an index, a digest of everything applied, and the membership. */
final class WorldMachine {
    private long appliedIndex;
    private long appliedTerm;
    private long digest;
    private Membership membership;

    WorldMachine(Membership initialMembership) {
        this.membership = initialMembership;
    }

    long appliedIndex() {
        return appliedIndex;
    }

    long digest() {
        return digest;
    }

    void apply(LogEntry entry) {
        if (entry.index() != appliedIndex + 1) {
            throw new AssertionError("applied " + appliedIndex + ", then handed " + entry.index());
        }
        appliedIndex = entry.index();
        appliedTerm = entry.term();
        digest = digest * 1_000_003 + entry.term() * 31 + Arrays.hashCode(entry.data());
        if (entry.type() == EntryType.MEMBERSHIP) {
            membership = MembershipCodec.decode(entry.data());
        }
    }

    WorldDisk.StoredSnapshot snapshot() {
        byte[] data = new byte[50];
        ByteBuffer.wrap(data).putLong(appliedIndex).putLong(digest);
        return new WorldDisk.StoredSnapshot(new SnapshotMeta(appliedIndex, appliedTerm, membership), data);
    }

    void restore(WorldDisk.StoredSnapshot snapshot) {
        ByteBuffer data = ByteBuffer.wrap(snapshot.data());
        appliedIndex = data.getLong();
        if (appliedIndex != snapshot.meta().index()) {
            throw new AssertionError("snapshot pieces of different transfers were mixed");
        }
        appliedTerm = snapshot.meta().term();
        digest = data.getLong();
        membership = snapshot.meta().membership();
    }
}
