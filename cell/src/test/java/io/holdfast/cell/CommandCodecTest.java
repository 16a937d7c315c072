package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cell.format.MalformedDataException;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The log's format: round trips, fixed bytes, and what is refused. */
final class CommandCodecTest {
    private static final NodePath PATH = new NodePath("/a/ü");
    private static final List<Operation> OPERATIONS = List.of(
            new Operation.Put(PATH, new byte[] {0, -1}, Operation.MUST_NOT_EXIST),
            new Operation.Put(NodePath.ROOT, new byte[70_000], Long.MAX_VALUE),
            new Operation.CreateEphemeral(PATH, new byte[0], true),
            new Operation.CreateEphemeral(PATH, new byte[1], false),
            new Operation.Delete(PATH, Operation.ANY_VERSION),
            new Operation.Acquire(PATH, LockMode.SHARED, true, 60_000, new byte[] {7}),
            new Operation.Acquire(PATH, LockMode.EXCLUSIVE, false, Long.MIN_VALUE, new byte[0]),
            new Operation.Acquire(PATH, LockMode.PERMIT, true, 1, new byte[] {7}, 1_000_000),
            new Operation.Acquire(PATH, LockMode.PERMIT, true, 1, new byte[0], Integer.MIN_VALUE),
            new Operation.Release(PATH, new FencingToken(Long.MAX_VALUE)),
            new Operation.Release(PATH, new FencingToken(-1)),
            new Operation.Cancel(-3),
            new Operation.CloseSession(),
            new Operation.BreakPlace(PATH, new FencingToken(5)),
            new Operation.EndSession(new SessionId(6)));

    private static List<Command> commands() {
        List<Command> commands = new ArrayList<>();
        for (Operation operation : OPERATIONS) {
            commands.add(new Command.Request(new SessionId(1L << 40), Long.MIN_VALUE, 17, operation));
            commands.add(new Command.OneShot(operation));
        }
        commands.add(new Command.OpenSession(TestCell.secret(5), 12_000, "näme", true));
        commands.add(new Command.OpenSession(new byte[0], -1, "", false));
        commands.add(new Command.ExpireSession(new SessionId(3), 9));
        commands.add(new Command.EndDelay(PATH, new FencingToken(4), 9));
        commands.add(new Command.BreakPlace(PATH, new FencingToken(4), 9));
        LeaseName name = new LeaseName("näme");
        LeaseOwner owner = new LeaseOwner("owner 1");
        commands.add(new Command.AcquireLease(new LeaseCall.Acquire(name, owner, 60_000, "")));
        commands.add(new Command.AcquireLease(new LeaseCall.Acquire(name, owner, 1_000, "request ü")));
        commands.add(new Command.ReleaseLease(new LeaseCall.Release(name, owner, new FencingToken(Long.MAX_VALUE))));
        commands.add(new Command.ExpireLease(name, new FencingToken(4), 9));
        return commands;
    }

    @Test
    void everyCommandComesBackAsItWas() {
        CommandBatch batch = new CommandBatch(12, -5, "principal", 1L << 30, commands());
        CommandBatch back = CommandCodec.decode(CommandCodec.encode(batch));
        // Arrays are equal by content.
        assertThat(back).usingRecursiveComparison().isEqualTo(batch);
        assertThat(CommandCodec.encode(back)).isEqualTo(CommandCodec.encode(batch));
        CommandBatch empty = new CommandBatch(0, 0, "", 1L << 30, List.of());
        assertThat(CommandCodec.decode(CommandCodec.encode(empty))).isEqualTo(empty);
    }

    /** A change of the format that nobody meant to make shows here. */
    @Test
    void theBytesAreFixed() {
        CommandBatch batch = new CommandBatch(
                3,
                1,
                "",
                1_000,
                List.of(new Command.Request(
                        new SessionId(300),
                        2,
                        1,
                        new Operation.Acquire(new NodePath("/l"), LockMode.SHARED, false, 500, new byte[] {9}))));
        assertThat(CommandCodec.encode(batch))
                .containsExactly(1, 3, 2, 0, 0xd0, 0xf, 1, 1, 0xac, 2, 4, 2, 4, 2, '/', 'l', 1, 0, 0xe8, 7, 1, 9);
    }

    /** ADR 0011: only a permit has the field that came later; an entry written before is read as it was. */
    @Test
    void theBytesOfAPermitEndWithTheNumberOfPermits() {
        Operation permit = new Operation.Acquire(new NodePath("/l"), LockMode.PERMIT, false, 500, new byte[] {9}, 300);
        Command request = new Command.Request(new SessionId(300), 2, 1, permit);
        assertThat(CommandCodec.encode(new CommandBatch(3, 1, "", 1_000, List.of(request))))
                .containsExactly(
                        1, 3, 2, 0, 0xd0, 0xf, 1, 1, 0xac, 2, 4, 2, 4, 2, '/', 'l', 2, 0, 0xe8, 7, 1, 9, 0xd8, 4);
    }

    /** ADR 0018. */
    @Test
    void theBytesOfLeaseCommandsAreFixed() {
        LeaseName name = new LeaseName("n");
        LeaseOwner owner = new LeaseOwner("o");
        CommandBatch batch = new CommandBatch(
                3,
                1,
                "",
                1_000,
                List.of(
                        new Command.AcquireLease(new LeaseCall.Acquire(name, owner, 10_000, "r")),
                        new Command.ReleaseLease(new LeaseCall.Release(name, owner, new FencingToken(300))),
                        new Command.ExpireLease(name, new FencingToken(5), 7)));
        assertThat(CommandCodec.encode(batch))
                .containsExactly(
                        1, 3, 2, 0, 0xd0, 0xf, 3, 80, 1, 'n', 1, 'o', 0x90, 0x4e, 1, 'r', 81, 1, 'n', 1, 'o', 0xac, 2,
                        82, 1, 'n', 5, 7);
    }

    @Test
    void anUnknownVersionIsNamed() {
        byte[] entry = CommandCodec.encode(new CommandBatch(0, 0, "", 1L << 30, List.of()));
        entry[0] = 2;
        assertThatThrownBy(() -> CommandCodec.decode(entry))
                .isInstanceOf(MalformedDataException.class)
                .hasMessageContaining("version 2");
    }

    @Test
    void garbageIsRefusedWithATypedExceptionAndNothingElse() {
        byte[] good = CommandCodec.encode(new CommandBatch(1, 1, "p", 1L << 30, commands()));
        for (int length = 0; length < good.length; length += length < 500 || length > 71_000 ? 1 : 997) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> CommandCodec.decode(cut)).isInstanceOf(MalformedDataException.class);
        }
        byte[] longer = Arrays.copyOf(good, good.length + 1);
        assertThatThrownBy(() -> CommandCodec.decode(longer)).isInstanceOf(MalformedDataException.class);
        List<Command> small = commands().stream()
                .filter(c -> CommandCodec.encode(new CommandBatch(0, 0, "", 1L << 30, List.of(c))).length < 200)
                .toList();
        byte[] seed = CommandCodec.encode(new CommandBatch(1, 1, "p", 1L << 30, small));
        Random random = new Random(1);
        int decoded = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = seed.clone();
            if (i % 4 == 0) {
                bytes = new byte[random.nextInt(40)];
                random.nextBytes(bytes);
                if (bytes.length > 0) {
                    bytes[0] = 1;
                }
            } else {
                for (int j = 0; j <= i % 3; j++) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
            }
            decoded += decodes(bytes) ? 1 : 0;
        }
        assertThat(decoded).isBetween(1_000, 199_000);
    }

    /** Whatever decodes can be applied: no command makes the state machine throw (R2.2). */
    private static boolean decodes(byte[] bytes) {
        CommandBatch batch;
        try {
            batch = CommandCodec.decode(bytes);
        } catch (MalformedDataException e) {
            return false;
        }
        TestCell cell = new TestCell();
        cell.open();
        cell.exclusive(new SessionId(1), "/a/ü");
        cell.applyAll(batch.commands().toArray(new Command[0]));
        return true;
    }
}
