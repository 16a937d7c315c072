package io.holdfast.cell;

import static io.holdfast.cell.TestCell.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import org.junit.jupiter.api.Test;

/** Each limit at its edge. */
final class LimitsTest {
    private static final NodePath V = new NodePath("/v");

    private final TestCell cell = new TestCell();

    private Outcome putBytes(int bytes) {
        return cell.apply(new Command.OneShot(new Operation.Put(V, new byte[bytes], Operation.ANY_VERSION)));
    }

    /** C107: one limit, named in the message; empty is not the same as none. */
    @Test
    void valuesUpToTheLimitAreTaken() {
        for (int bytes : new int[] {0, 1, 65_535, 65_536}) {
            assertThat(putBytes(bytes)).isInstanceOf(Outcome.Written.class);
            cell.restart();
            assertThat(cell.value("/v").value()).hasSize(bytes);
        }
        assertFailed(putBytes(65_537), ErrorCode.TOO_LARGE, "65537", "65536");
        assertThat(cell.value("/v").version()).isEqualTo(3);
        assertThat(cell.value("/none").value()).isNull();
        assertThat(cell.value("/none").version()).isEqualTo(Operation.MUST_NOT_EXIST);
        SessionId session = cell.open();
        byte[] large = new byte[65_537];
        assertFailed(
                cell.perform(session, new Operation.CreateEphemeral(new NodePath("/e"), large, false)),
                ErrorCode.TOO_LARGE);
        assertFailed(
                cell.perform(session, new Operation.Acquire(new NodePath("/l"), LockMode.SHARED, false, 0, large)),
                ErrorCode.TOO_LARGE);
    }

    @Test
    void binaryValuesComeBackAsTheyWere() {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        cell.apply(new Command.OneShot(new Operation.Put(V, all, Operation.ANY_VERSION)));
        cell.restart();
        assertThat(cell.value("/v").value()).isEqualTo(all);
    }

    @Test
    void pathsLeaveRoomForWhatIsAppended() {
        SessionId session = cell.open();
        String longest = "/" + "l".repeat(1_000);
        assertThat(cell.exclusive(session, longest).place().value()).hasSize(Limits.MAX_PATH_BYTES);
        NodePath longer = new NodePath(longest + "l");
        assertFailed(
                cell.perform(session, new Operation.Acquire(longer, LockMode.EXCLUSIVE, false, 0, TestCell.NOTHING)),
                ErrorCode.TOO_LARGE,
                "1001");
        NodePath sequential = new NodePath("/" + "é".repeat(502));
        assertFailed(
                cell.perform(session, new Operation.CreateEphemeral(sequential, TestCell.NOTHING, true)),
                ErrorCode.TOO_LARGE,
                "1024");
        assertThat(cell.perform(session, new Operation.CreateEphemeral(sequential, TestCell.NOTHING, false)))
                .isInstanceOf(Outcome.Created.class);
    }

    @Test
    void openingNamesTheFieldAndItsRange() {
        assertFailed(open(new byte[15], 12_000, ""), ErrorCode.INVALID, "secret", "15", "16");
        assertFailed(open(new byte[17], 12_000, ""), ErrorCode.INVALID, "secret", "17", "16");
        assertFailed(open(new byte[16], 3_999, ""), ErrorCode.INVALID, "leaseMillis", "4000", "60000");
        assertFailed(open(new byte[16], 60_001, ""), ErrorCode.INVALID, "leaseMillis", "4000", "60000");
        assertFailed(open(new byte[16], -1, ""), ErrorCode.INVALID, "leaseMillis");
        assertFailed(open(new byte[16], 12_000, "é".repeat(257)), ErrorCode.INVALID, "clientName", "512");
        assertFailed(open(new byte[16], 12_000, "a\nb"), ErrorCode.INVALID, "clientName");
        assertThat(cell.machine().sessionCount()).isZero();
        assertThat(cell.machine().revision()).isZero();
        assertThat(open(new byte[16], 4_000, "é".repeat(256))).isInstanceOf(Outcome.SessionOpened.class);
        assertThat(open(TestCell.secret(3), 60_000, "")).isInstanceOf(Outcome.SessionOpened.class);
    }

    private Outcome open(byte[] secret, long lease, String name) {
        return cell.apply(new Command.OpenSession(secret, lease, name, false));
    }

    @Test
    void pagesHaveALimit() {
        for (int limit : new int[] {0, -1, 1_001}) {
            assertInvalid(new Query.ListChildren(NodePath.ROOT, "", limit), "limit");
            assertInvalid(new Query.ListPlaces(NodePath.ROOT, NodePath.ROOT, limit), "limit");
            assertInvalid(new Query.ListSessions(new SessionId(0), limit), "limit");
        }
        assertInvalid(new Query.ListChildren(NodePath.ROOT, "a/b", 1), "afterName");
        assertInvalid(new Query.ListChildren(NodePath.ROOT, "..", 1), "afterName");
        assertInvalid(new Query.ListChildren(NodePath.ROOT, "n".repeat(1_025), 1), "afterName");
        assertInvalid(new Query.ListPlaces(NodePath.ROOT, V, 1), "after");
        assertInvalid(new Query.CellStatus(), "leader");
    }

    private void assertInvalid(Query query, String part) {
        Answer.Failed failed = (Answer.Failed) cell.machine().query(query);
        assertThat(failed.code()).isEqualTo(ErrorCode.INVALID);
        assertThat(failed.message()).contains(part);
    }

    /** C65: refused at the limit with a clear error; then all nodes go in one step, and the log goes on. */
    @Test
    void aSessionWithAllTheNodesItMayHaveEndsInOneStep() {
        SessionId session = cell.open();
        SessionId other = cell.open();
        cell.exclusive(session, "/lock");
        Outcome.Placed waiting = cell.exclusive(other, "/lock");
        String folder = "/" + "folder".repeat(10) + "/";
        for (int i = 1; i < Limits.MAX_NODES_PER_SESSION; i++) {
            assertThat(cell.ephemeral(session, folder + i)).isInstanceOf(Outcome.Created.class);
        }
        assertFailed(cell.ephemeral(session, folder + "more"), ErrorCode.LIMIT, "100000");
        Operation acquire = new Operation.Acquire(new NodePath("/more"), LockMode.SHARED, false, 0, TestCell.NOTHING);
        assertFailed(cell.perform(session, acquire), ErrorCode.LIMIT, "100000");

        FrozenCell before = cell.machine().freeze();
        byte[] entry = CommandCodec.encode(new CommandBatch(
                7, 0, "", 1L << 30, java.util.List.of(new Command.ExpireSession(session, TestCell.TERM))));
        assertThat(entry.length).isLessThan(50);
        cell.expire(session);

        assertThat(cell.events(CellEvent.Granted.class)).hasSize(1);
        assertThat(cell.isHeld(waiting)).isTrue();
        assertThat(cell.machine().nodeCount()).isEqualTo(3);
        cell.check();
        // What was frozen before has them all, and ends in the same way (C64).
        TestCell copy = new TestCell(TestCell.restored(TestCell.snapshotOf(before)));
        assertThat(copy.machine().nodeCount()).isGreaterThan(100_000);
        copy.expire(session);
        assertThat(copy.machine().digest()).isEqualTo(cell.machine().digest());
    }

    /** Issue 2, Build 4: growing is refused with a code before memory runs out, giving back always works. */
    @Test
    void aFullStateTakesNothingMoreAndGivesBackAll() {
        TestCell small = new TestCell(new CellLimits(200_000));
        SessionId session = small.open();
        Outcome.Placed lock = small.exclusive(session, "/lock");
        Outcome.Placed waiter = small.exclusive(session, "/lock");
        small.put("/value", "123456");
        small.put("/other", "");
        small.ephemeral(session, "/e");
        int nodes = 0;
        while (small.put("/fill/" + nodes, "x".repeat(1_000)) instanceof Outcome.Written) {
            nodes++;
        }
        assertThat(nodes).isBetween(100, 199);
        long revision = small.machine().revision();
        assertFailed(small.put("/fill/more", "x".repeat(1_000)), ErrorCode.STATE_FULL, "200000", "releases");
        assertFailed(small.put("/value", "x".repeat(2_000)), ErrorCode.STATE_FULL);
        assertFailed(small.put("/deep" + "/d".repeat(40), ""), ErrorCode.STATE_FULL);
        while (!(small.ephemeral(session, "/m" + small.machine().revision()) instanceof Outcome.Failed)) {
            revision++;
        }
        assertFailed(small.perform(session, acquireOf("/l2")), ErrorCode.STATE_FULL);
        assertFailed(
                small.apply(new Command.OpenSession(TestCell.secret(99), 12_000, "n", false)), ErrorCode.STATE_FULL);
        assertThat(small.machine().revision()).isEqualTo(revision);
        small.check();

        assertThat(small.put("/value", "12345")).isInstanceOf(Outcome.Written.class);
        assertThat(small.put("/value", "54321")).isInstanceOf(Outcome.Written.class);
        assertThat(small.release(session, lock)).isEqualTo(new Outcome.Released(true));
        assertThat(small.isHeld(waiter)).isTrue();
        assertThat(small.delete("/other")).isInstanceOf(Outcome.Deleted.class);
        assertThat(small.close(session)).isInstanceOf(Outcome.SessionClosed.class);
        assertThat(small.machine().stateBytes()).isLessThan(200_000);
        assertThat(small.put("/fill/more", "")).isInstanceOf(Outcome.Written.class);
        small.check();
    }

    /** R2.2: a replica that is configured otherwise decides as the entry says, not as it would itself. */
    @Test
    void theLimitComesFromTheLogSoReplicasCannotDiverge() {
        TestCell leader = new TestCell(new CellLimits(20_000));
        CellStateMachine follower = new CellStateMachine(new CellLimits(1 << 30));
        for (int i = 0; i < 30; i++) {
            Operation put = new Operation.Put(new NodePath("/v" + i), new byte[1_000], Operation.ANY_VERSION);
            byte[] entry = CommandCodec.encode(
                    new CommandBatch(TestCell.TERM, 1_000, "", 20_000, java.util.List.of(new Command.OneShot(put))));
            AppliedEntry there = follower.apply(i + 1, TestCell.TERM, entry);
            AppliedEntry here = leader.machine().apply(i + 1, TestCell.TERM, entry);
            assertThat(there.outcomes()).isEqualTo(here.outcomes());
        }
        assertThat(leader.machine().nodeCount()).isLessThan(25);
        assertThat(follower.digest()).isEqualTo(leader.machine().digest());
    }

    private static Operation acquireOf(String lock) {
        return new Operation.Acquire(new NodePath(lock), LockMode.EXCLUSIVE, false, 0, TestCell.NOTHING);
    }

    /** R2.7: 1,024 results are kept; the next id is refused until the client acknowledges. */
    @Test
    void theWindowOfRequestsIsBoundedAndNothingIsEvicted() {
        SessionId session = cell.open();
        Operation put = new Operation.Put(V, TestCell.bytes("x"), Operation.ANY_VERSION);
        for (int id = 1; id <= Limits.MAX_RESULTS_PER_SESSION; id++) {
            assertThat(cell.apply(new Command.Request(session, id, 0, put))).isInstanceOf(Outcome.Written.class);
        }
        long bytes = cell.machine().stateBytes();
        assertFailed(cell.apply(new Command.Request(session, 1_025, 0, put)), ErrorCode.REQUEST_WINDOW, "1025", "1024");
        assertThat(((Outcome.Written) cell.apply(new Command.Request(session, 1, 0, put))).version())
                .isZero();
        assertFailed(cell.apply(new Command.Request(session, Long.MAX_VALUE, 0, put)), ErrorCode.REQUEST_WINDOW);
        assertThat(cell.machine().stateBytes()).isEqualTo(bytes);
        assertThat(cell.apply(new Command.Request(session, 1_025, 1_000, put))).isInstanceOf(Outcome.Written.class);
        assertThat(cell.machine().stateBytes()).isLessThan(bytes / 10);
        assertThat(cell.value("/v").version()).isEqualTo(1_024);
        cell.check();
        assertFailed(cell.apply(new Command.Request(session, 5_000, Long.MAX_VALUE, put)), ErrorCode.REQUEST_OLD);
        cell.check();
    }

    @Test
    void aStateLimitIsPositive() {
        assertThatThrownBy(() -> new CellLimits(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
