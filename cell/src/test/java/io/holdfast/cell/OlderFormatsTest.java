package io.holdfast.cell;

import static io.holdfast.cell.TestCell.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was written before there were permits is read as it was meant, to the last bit of the digest (ADR 0011). */
final class OlderFormatsTest {
    /** Bytes that the software before ADR 0011 wrote. */
    private static final String SNAPSHOT = """
            484643454c4c010000000f000a070aa5cda685e49ff2cf040b020000019f012f03000000000905000000082f64656c61
            796564030000090909010000d00f1f2f64656c617965642f782d30303030303030303030303030303030303030390200
            00090a000000bc05d00f022f65010000060600000100d00f052f6c6f636b030000030305020000d00f1c2f6c6f636b2f
            732d3030303030303030303030303030303030303035020000050500000400d00f1c2f6c6f636b2f782d303030303030
            30303030303030303030303030330200000303000001f403d00f032f702d030000070707010000d00f1a2f702d2f702d
            3030303030303030303030303030303030303132001961206e616d652074686174207761732066726565207468656e00
            070700000000d00f062f76616c7565030000020202010000d00f092f76616c75652fc3bc00017600020200000000d00f
            01100000000000000001fffffffffffffffee05d09636c69656e7420c3a400d00f01010202022f650600000410000000
            0000000002fffffffffffffffde05d06636c69656e7400d00f000101041c2f6c6f636b2f732d30303030303030303030
            3030303030303030303505000000000000
            """;

    private static final String ENTRY = "010709008080808008030101060404022f6c0101e80701090101080604022f6c00000000051f2f"
            + "64656c617965642f782d30303030303030303030303030303030303030380807";

    private static CellStateMachine restored() {
        return TestCell.restored(HexFormat.of().parseHex(SNAPSHOT.replaceAll("\\s", "")));
    }

    /** With a secret that no session of the snapshot has. */
    private static SessionId open(TestCell cell, long secret) {
        Outcome outcome = cell.apply(new Command.OpenSession(TestCell.secret(secret), 12_000, "new", false));
        return ((Outcome.SessionOpened) outcome).session();
    }

    @Test
    void anOlderSnapshotIsRestored() {
        CellStateMachine machine = restored();
        assertThat(Long.toHexString(machine.digest())).isEqualTo("fdb01b80dfab2cad");
        assertThat(machine.revision()).isEqualTo(10);
        TestCell.checkSums(machine);
        assertThat(new TestCell(machine).places("/"))
                .extracting(place ->
                        place.place().value() + " " + place.mode() + " " + place.held() + " " + place.permits())
                .containsExactly(
                        "/delayed/x-00000000000000000009 EXCLUSIVE false 0",
                        "/lock/x-00000000000000000003 EXCLUSIVE true 0",
                        "/lock/s-00000000000000000005 SHARED false 0");
        byte[] again = TestCell.snapshotOf(machine.freeze());
        assertThat(HexFormat.of().formatHex(again)).isEqualTo(SNAPSHOT.replaceAll("\\s", ""));
    }

    @Test
    void anOlderEntryIsDecoded() {
        CommandBatch batch = CommandCodec.decode(HexFormat.of().parseHex(ENTRY));
        SessionId session = new SessionId(1);
        NodePath lock = new NodePath("/l");
        CommandBatch expected = new CommandBatch(
                7,
                -5,
                "",
                1L << 30,
                List.of(
                        new Command.Request(
                                session, 3, 2, new Operation.Acquire(lock, LockMode.SHARED, true, 500, new byte[] {9})),
                        new Command.Request(
                                session, 4, 3, new Operation.Acquire(lock, LockMode.EXCLUSIVE, false, 0, new byte[0])),
                        new Command.EndDelay(new NodePath("/delayed/x-00000000000000000008"), new FencingToken(8), 7)));
        assertThat(batch).usingRecursiveComparison().isEqualTo(expected);
        assertThat(CommandCodec.encode(batch)).isEqualTo(HexFormat.of().parseHex(ENTRY));
    }

    /** A value whose name was free then stays readable and can be deleted; a permit never takes its name. */
    @Test
    void aValueNamedLikeAPermitNeverMeetsOne() {
        TestCell cell = new TestCell(restored());
        assertThat(cell.value("/p-/p-00000000000000000012").version()).isZero();
        open(cell, 100);
        SessionId session = open(cell, 101);
        cell.put("/p-/p-00000000000000000012", "written over");
        Operation permit = new Operation.Acquire(new NodePath("/p-"), LockMode.PERMIT, false, 0, new byte[0], 1);
        assertThat(((Outcome.Placed) cell.perform(session, permit)).place().name())
                .isEqualTo("p-00000000000000000014");
        assertThat(cell.delete("/p-/p-00000000000000000012")).isInstanceOf(Outcome.Deleted.class);
        assertFailed(cell.put("/p-/p-00000000000000000099", ""), ErrorCode.INVALID, "named like a place");
        cell.check();
    }

    @Test
    void aPermitThatWouldTakeSuchANameIsRefused() {
        TestCell cell = new TestCell(restored());
        SessionId session = open(cell, 100);
        assertThat(cell.machine().revision()).isEqualTo(11);
        Operation permit = new Operation.Acquire(new NodePath("/p-"), LockMode.PERMIT, false, 0, new byte[0], 1);
        assertFailed(cell.perform(session, permit), ErrorCode.EXISTS, "older format");
        cell.put("/else", "");
        assertThat(cell.perform(session, permit)).isInstanceOf(Outcome.Placed.class);
        cell.check();
    }
}
