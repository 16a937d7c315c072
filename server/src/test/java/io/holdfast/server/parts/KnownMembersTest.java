package io.holdfast.server.parts;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.raft.EntryType;
import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.Membership;
import io.holdfast.raft.MembershipCodec;
import io.holdfast.raft.ReplicaId;
import io.holdfast.raft.SnapshotMeta;
import io.holdfast.storage.DataDirectory.RecoveredCell;
import io.holdfast.storage.RecoveredLog;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A member list that contradicts the data directory stops the start; who the data name may change by the log (R8.2). */
final class KnownMembersTest {
    private static final ReplicaId SELF = new ReplicaId("r1@a");
    private static final RecoveredCell NOTHING = found(Optional.empty(), 0);

    private static ReplicaId id(String name) {
        return new ReplicaId(name + "@a");
    }

    private static List<ReplicaId> ids(String... names) {
        return Stream.of(names).map(KnownMembersTest::id).toList();
    }

    private static Membership voters(String... names) {
        return Membership.ofVoters(ids(names));
    }

    private static RecoveredCell found(Optional<SnapshotMeta> snapshot, long baseIndex, LogEntry... entries) {
        return new RecoveredCell(snapshot, new RecoveredLog(HardState.INITIAL, baseIndex, 1, List.of(entries)));
    }

    private static LogEntry membership(long index, Membership membership) {
        return new LogEntry(index, 1, EntryType.MEMBERSHIP, MembershipCodec.encode(membership));
    }

    private static void accepted(KnownMembers known, String... configured) {
        assertThatCode(() -> known.requireKnown(List.of(configured))).doesNotThrowAnyException();
    }

    private static void refused(KnownMembers known, String present, String... configured) {
        assertThatThrownBy(() -> known.requireKnown(List.of(configured)))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining("members: the configuration names " + String.join(", ", configured) + ",")
                .hasMessageContaining("the members are " + present + ";");
    }

    @Test
    void aNewDirectoryKnowsNobody() {
        accepted(new KnownMembers(SELF, List.of(), NOTHING), "r1", "r7");
    }

    @Test
    void theFormedListIsTheOnlyOne() {
        KnownMembers known = new KnownMembers(SELF, ids("r1", "r2", "r3"), NOTHING);
        accepted(known, "r3", "r1", "r2");
        refused(known, "r1, r2, r3", "r1", "r4", "r5");
        refused(known, "r1, r2, r3", "r1", "r2");
        refused(known, "r1, r2, r3", "r1", "r2", "r3", "r4");
    }

    @Test
    void oneThatJoinedLaterBelongsToTheListItself() {
        KnownMembers known = new KnownMembers(SELF, ids("r2", "r3"), NOTHING);
        accepted(known, "r1", "r2", "r3");
        refused(known, "r1, r2, r3", "r1", "r2");
    }

    @Test
    void theLogChangesTheList() {
        LogEntry command = new LogEntry(1, 1, EntryType.COMMAND, new byte[] {1});
        Membership joined = new Membership(new TreeSet<>(ids("r1", "r2", "r3")), new TreeSet<>(ids("r4")));
        KnownMembers known = new KnownMembers(
                SELF, ids("r1", "r2", "r3"), found(Optional.empty(), 0, command, membership(2, joined)));
        accepted(known, "r1", "r2", "r3", "r4");
        accepted(known, "r1", "r2", "r3"); // not edited yet
        refused(known, "r1, r2, r3, r4", "r1", "r4", "r5");
    }

    @Test
    void theSnapshotStandsForTheEntriesBeforeIt() {
        SnapshotMeta snapshot = new SnapshotMeta(5, 1, voters("r1", "r2", "r5"));
        KnownMembers known = new KnownMembers(
                SELF,
                ids("r1", "r2", "r3"),
                found(Optional.of(snapshot), 3, membership(4, voters("r1", "r9")), membership(6, voters("r1", "r5"))));
        accepted(known, "r1", "r2", "r5");
        accepted(known, "r1", "r5");
        refused(known, "r1, r5", "r1", "r9");
    }
}
