package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.model.LockMode;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is in a snapshot, and what is refused as one. */
final class SnapshotTest {
    private final TestCell cell = new TestCell();
    private SessionId session;

    @BeforeEach
    void fill() {
        session = cell.open("client ä");
        cell.put("/value/ü", "v");
        cell.acquire(session, "/lock", LockMode.EXCLUSIVE, 500);
        cell.acquire(cell.open(), "/lock", LockMode.SHARED, 0);
        cell.ephemeral(session, "/e");
        SessionId gone = cell.open();
        cell.acquire(gone, "/delayed", LockMode.EXCLUSIVE, 700);
        cell.expire(gone);
    }

    @Test
    void aCopyIsEqualInAllThatCanBeAsked() {
        CellStateMachine copy = TestCell.copyOf(cell.machine());
        CellStateMachine machine = cell.machine();
        assertThat(copy.appliedIndex()).isEqualTo(machine.appliedIndex());
        assertThat(copy.appliedTerm()).isEqualTo(TestCell.TERM);
        assertThat(copy.revision()).isEqualTo(machine.revision()); // R2.3
        assertThat(copy.digest()).isEqualTo(machine.digest());
        assertThat(copy.stateBytes()).isEqualTo(machine.stateBytes());
        assertThat(copy.sessions()).containsExactlyElementsOf(machine.sessions());
        assertThat(copy.delayedPlaces()).hasSize(1).containsExactlyElementsOf(machine.delayedPlaces());
        assertThat(copy.placesHeld()).isEqualTo(machine.placesHeld()).isEqualTo(1);
        assertThat(copy.placesWaiting()).isEqualTo(machine.placesWaiting()).isEqualTo(1);
        assertThat(copy.placesDelayed()).isEqualTo(1);
        assertThat(copy.authorises(session, TestCell.secret(1))).isTrue();
        assertThat(copy.authorises(session, TestCell.secret(2))).isFalse();
        assertThat(copy.authorises(session, new byte[0])).isFalse();
        assertThat(copy.isOpen(session)).isTrue();
        assertThat(copy.isOpen(new SessionId(999))).isFalse();
        TestCell.checkSums(copy);
        assertThat(TestCell.snapshotOf(copy.freeze())).isEqualTo(TestCell.snapshotOf(machine.freeze()));
    }

    /** Issue 2, Build 4: written in the background while entries are applied. */
    @Test
    void whatIsFrozenStaysAsItWas() {
        FrozenCell frozen = cell.machine().freeze();
        byte[] before = TestCell.snapshotOf(frozen);
        cell.put("/value/ü", "w");
        cell.close(session);
        assertThat(TestCell.snapshotOf(frozen)).isEqualTo(before);
        assertThat(frozen.digest()).isNotEqualTo(cell.machine().digest());
        assertThat(TestCell.restored(before).digest()).isEqualTo(frozen.digest());
        assertThat(frozen.appliedIndex()).isEqualTo(cell.machine().appliedIndex() - 2);
    }

    @Test
    void aHundredThousandNodesAreFrozenAndRestored() {
        for (int i = 0; i < 100_000; i++) {
            cell.put("/many/" + i % 100 + "/" + i, "value");
        }
        FrozenCell frozen = cell.machine().freeze();
        cell.put("/many/later", "");
        CellStateMachine copy = TestCell.restored(TestCell.snapshotOf(frozen));
        assertThat(copy.nodeCount()).isEqualTo(cell.machine().nodeCount() - 1);
        TestCell.checkSums(copy);
    }

    @Test
    void damageAndStrangersAreRefused() {
        byte[] good = TestCell.snapshotOf(cell.machine().freeze());
        assertRefused("something else".getBytes(java.nio.charset.StandardCharsets.US_ASCII), "no snapshot");
        assertRefused(new byte[0], "no snapshot");
        byte[] newer = good.clone();
        newer[6] = 2;
        assertRefused(newer, "version 2");
        for (int length = 7; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> CellStateMachine.restore(CellLimits.defaults(), new ByteArrayInputStream(cut)))
                    .isInstanceOf(IOException.class);
        }
        for (int i = 0; i < good.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] bad = good.clone();
                bad[i] ^= (byte) (1 << bit);
                assertRefusedOrHarmless(bad);
            }
        }
    }

    /** The applied index and term, and the incarnation, are not covered by the digest: the store's checksum is for those. */
    private void assertRefusedOrHarmless(byte[] bytes) {
        try {
            CellStateMachine copy = CellStateMachine.restore(CellLimits.defaults(), new ByteArrayInputStream(bytes));
            assertThat(copy.digest()).isEqualTo(cell.machine().digest());
        } catch (IOException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }

    private static void assertRefused(byte[] bytes, String part) {
        assertThatThrownBy(() -> CellStateMachine.restore(CellLimits.defaults(), new ByteArrayInputStream(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(part);
    }

    /** C13, C64: entries are applied once, in order; one that is not the next is our bug. */
    @Test
    void onlyTheNextEntryIsApplied() {
        CellStateMachine machine = cell.machine();
        byte[] entry = CommandCodec.encode(new CommandBatch(7, 0, "", 1L << 30, java.util.List.of()));
        long next = machine.appliedIndex() + 1;
        assertThatThrownBy(() -> machine.apply(next - 1, 7, entry)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> machine.apply(next + 1, 7, entry)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> machine.apply(next, 6, entry)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> machine.apply(next, 7, new byte[] {9})).hasMessageContaining("version 9");
        assertThat(machine.apply(next, 8, entry).outcomes()).isEmpty();
        long digest = machine.digest();
        machine.applyNothing(next + 1, 9);
        assertThat(machine.appliedIndex()).isEqualTo(next + 1);
        assertThat(machine.appliedTerm()).isEqualTo(9);
        assertThat(machine.digest()).isEqualTo(digest);
    }

    /** Two replicas that differ in anything replicated have different digests. */
    @Test
    void theDigestSeesEveryDifference() {
        TestCell other = new TestCell();
        SessionId same = other.open("client ä");
        TestCell another = new TestCell();
        another.open("client a");
        assertThat(other.machine().digest()).isNotEqualTo(another.machine().digest());
        long before = other.machine().digest();
        // A result and a watermark change nothing else.
        other.perform(same, new io.holdfast.model.Operation.Cancel(0));
        long withResult = other.machine().digest();
        assertThat(withResult).isNotEqualTo(before);
        other.perform(same, new io.holdfast.model.Operation.Cancel(0));
        assertThat(other.machine().digest()).isNotEqualTo(withResult);
        assertThat(other.machine().revision()).isEqualTo(1);
        assertThat(other.close(same)).isInstanceOf(Outcome.SessionClosed.class);
    }
}
