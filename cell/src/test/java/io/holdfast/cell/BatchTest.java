package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Operation.BatchItem;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several writes at one revision, or none (ADR 0009). */
final class BatchTest {
    private final TestCell cell = new TestCell();

    private static BatchItem put(String path, String value, long version) {
        return new Operation.Put(new NodePath(path), TestCell.bytes(value), version);
    }

    private static BatchItem put(String path) {
        return put(path, "new", Operation.ANY_VERSION);
    }

    private static BatchItem delete(String path, long version) {
        return new Operation.Delete(new NodePath(path), version);
    }

    private static BatchItem check(String path, long version) {
        return new Operation.Check(new NodePath(path), version);
    }

    private Outcome batch(BatchItem... items) {
        return cell.apply(new Command.OneShot(new Operation.Batch(List.of(items))));
    }

    private void assertRefused(Outcome outcome, int item, ErrorCode code) {
        assertThat(outcome).isInstanceOf(Outcome.BatchRefused.class);
        Outcome.BatchRefused refused = (Outcome.BatchRefused) outcome;
        assertThat(refused.code()).as(refused.toString()).isEqualTo(code);
        assertThat(refused.item()).as(refused.toString()).isEqualTo(item);
    }

    @Test
    void allItemsAreAppliedInOrderAtOneRevision() {
        cell.put("/a", "1");
        cell.put("/gone", "1");
        long before = cell.machine().revision();
        Outcome outcome = batch(
                check("/a", 0),
                put("/b/c", "x", Operation.MUST_NOT_EXIST),
                put("/b", "y", Operation.ANY_VERSION),
                delete("/gone", 0),
                check("/none", Operation.MUST_NOT_EXIST));
        assertThat(outcome).isEqualTo(new Outcome.Batched(before + 1, List.of(0L, 0L, 0L, 0L, -1L)));
        assertThat(cell.machine().revision()).isEqualTo(before + 1);
        assertThat(cell.value("/b/c").modifyRevision()).isEqualTo(before + 1);
        assertThat(cell.value("/b").modifyRevision()).isEqualTo(before + 1);
        assertThat(cell.exists("/gone")).isFalse();
        cell.check();
    }

    @Test
    void oneThatCannotBeDoneUndoesAll() {
        cell.put("/a", "1");
        cell.put("/d/e", "1");
        long digest = cell.machine().digest();
        long bytes = cell.machine().stateBytes();
        assertRefused(batch(put("/a"), put("/x/y"), delete("/d/e", 0), put("/b", "x", 5)), 3, ErrorCode.BAD_VERSION);
        assertThat(cell.events()).isEmpty(); // R5.4
        assertThat(cell.machine().digest()).isEqualTo(digest);
        assertThat(cell.machine().stateBytes()).isEqualTo(bytes);
        assertThat(cell.exists("/x")).isFalse();
        assertThat(cell.exists("/d/e")).isTrue();
        cell.check();
    }

    @Test
    void eachRefusalNamesItsItem() {
        SessionId session = cell.open();
        cell.put("/a", "1");
        cell.put("/p/q", "1");
        cell.ephemeral(session, "/e");
        cell.exclusive(session, "/lock");
        assertRefused(batch(put("/b"), check("/a", 1)), 1, ErrorCode.BAD_VERSION);
        assertRefused(batch(put("/b"), check("/b2", 0)), 1, ErrorCode.BAD_VERSION);
        assertRefused(batch(put("/b"), check("/a", Operation.MUST_NOT_EXIST)), 1, ErrorCode.EXISTS);
        assertRefused(batch(check("/a", Operation.ANY_VERSION)), 0, ErrorCode.INVALID);
        assertRefused(batch(put("/b"), put("/a", "x", Operation.MUST_NOT_EXIST)), 1, ErrorCode.EXISTS);
        assertRefused(batch(put("/b"), delete("/none", Operation.ANY_VERSION)), 1, ErrorCode.NOT_FOUND);
        assertRefused(
                batch(delete("/a", Operation.ANY_VERSION), delete("/e", Operation.ANY_VERSION)),
                1,
                ErrorCode.WRONG_KIND);
        assertRefused(batch(put("/b"), put("/lock")), 1, ErrorCode.WRONG_KIND);
        assertRefused(batch(put("/b"), put("/c"), put("/b")), 2, ErrorCode.INVALID);
        assertRefused(batch(), -1, ErrorCode.INVALID);
        cell.check();
    }

    @Test
    void theLimits() {
        List<BatchItem> items = new ArrayList<>();
        for (int i = 0; i < Limits.MAX_BATCH_ITEMS; i++) {
            items.add(put("/n" + i));
        }
        assertThat(batch(items.toArray(BatchItem[]::new))).isInstanceOf(Outcome.Batched.class);
        items.add(put("/more"));
        assertRefused(batch(items.toArray(BatchItem[]::new)), -1, ErrorCode.TOO_LARGE);
        String large = "x".repeat(Limits.MAX_VALUE_BYTES);
        items.clear();
        for (int i = 0; i < 8; i++) {
            items.add(put("/n" + i, large, Operation.ANY_VERSION));
        }
        assertRefused(batch(items.toArray(BatchItem[]::new)), -1, ErrorCode.TOO_LARGE);
        assertRefused(batch(put("/n", large + "x", Operation.ANY_VERSION)), 0, ErrorCode.TOO_LARGE);
    }

    @Test
    void aFullStateRefusesItAsAWhole() {
        TestCell small = new TestCell(new CellLimits(4_000));
        Operation batch = new Operation.Batch(
                List.of(put("/a", "x", Operation.ANY_VERSION), put("/b", "x".repeat(4_000), Operation.ANY_VERSION)));
        assertRefused(small.apply(new Command.OneShot(batch)), 1, ErrorCode.STATE_FULL);
        assertThat(small.exists("/a")).isFalse();
        small.check();
    }

    /** R2.7. */
    @Test
    void aRepeatedBatchIsAnsweredNotApplied() {
        SessionId session = cell.open();
        Command.Request request =
                new Command.Request(session, 1, 0, new Operation.Batch(List.of(put("/a"), put("/b"))));
        Outcome first = cell.apply(request);
        long revision = cell.machine().revision();
        cell.restart();
        assertThat(cell.apply(request)).isEqualTo(first);
        assertThat(cell.machine().revision()).isEqualTo(revision);
        Command.Request refused =
                new Command.Request(session, 2, 0, new Operation.Batch(List.of(put("/c"), check("/a", 7))));
        Outcome why = cell.apply(refused);
        assertRefused(why, 1, ErrorCode.BAD_VERSION);
        cell.restart();
        assertThat(cell.apply(refused)).isEqualTo(why);
        cell.check();
    }

    @Test
    void onlyLookingChangesNothing() {
        cell.put("/a", "1");
        long revision = cell.machine().revision();
        assertThat(batch(check("/a", 0))).isEqualTo(new Outcome.Batched(revision, List.of(0L)));
        assertThat(cell.machine().revision()).isEqualTo(revision);
        assertThat(cell.events()).isEmpty();
    }
}
