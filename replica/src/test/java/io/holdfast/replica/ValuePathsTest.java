package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cell.Command;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.SessionId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** R6.1: what changes a persistent value is known, whatever comes to be asked for. */
class ValuePathsTest {
    private static final NodePath A = new NodePath("/a");
    private static final NodePath B = new NodePath("/b");
    private static final NodePath C = new NodePath("/c");
    private static final FencingToken TOKEN = new FencingToken(5);
    private static final SessionId SESSION = new SessionId(7);
    private static final LeaseName LEASE = new LeaseName("lease");
    private static final LeaseOwner OWNER = new LeaseOwner("owner");

    private final Map<Operation, List<NodePath>> operations = new LinkedHashMap<>();
    private final Map<Command, List<NodePath>> commands = new LinkedHashMap<>();

    ValuePathsTest() {
        operations.put(new Operation.Put(A, new byte[1], Operation.ANY_VERSION), List.of(A));
        operations.put(new Operation.Delete(A, 3), List.of(A));
        operations.put(
                new Operation.Batch(List.of(
                        new Operation.Put(A, new byte[1], 2), new Operation.Check(C, 1), new Operation.Delete(B, 2))),
                List.of(A, B));
        operations.put(new Operation.CreateEphemeral(A, new byte[1], false), List.of());
        operations.put(new Operation.Acquire(A, LockMode.EXCLUSIVE, false, 0, new byte[0]), List.of());
        operations.put(new Operation.Release(A, TOKEN), List.of());
        operations.put(new Operation.Cancel(3), List.of());
        operations.put(new Operation.CloseSession(), List.of());
        operations.put(new Operation.BreakPlace(A, TOKEN), List.of());
        operations.put(new Operation.EndSession(SESSION), List.of());
        operations.forEach((operation, paths) -> {
            commands.put(new Command.Request(SESSION, 1, 0, operation), paths);
            commands.put(new Command.OneShot(operation), paths);
        });
        commands.put(new Command.OpenSession(new byte[16], 12_000, "c", true), List.of());
        commands.put(new Command.ExpireSession(SESSION, 1), List.of());
        commands.put(new Command.EndDelay(A, TOKEN, 1), List.of());
        commands.put(new Command.BreakPlace(A, TOKEN, 1), List.of());
        commands.put(new Command.AcquireLease(new LeaseCall.Acquire(LEASE, OWNER, 10_000, "r")), List.of());
        commands.put(new Command.ReleaseLease(new LeaseCall.Release(LEASE, OWNER, TOKEN)), List.of());
        commands.put(new Command.ExpireLease(LEASE, TOKEN, 1), List.of());
    }

    @Test
    void everyKindOfCommandIsJudged() {
        assertThat(kindsOf(operations.keySet())).containsExactlyInAnyOrder(Operation.class.getPermittedSubclasses());
        assertThat(kindsOf(commands.keySet())).containsExactlyInAnyOrder(Command.class.getPermittedSubclasses());
    }

    private static List<Class<?>> kindsOf(Set<?> all) {
        return all.stream().<Class<?>>map(Object::getClass).distinct().toList();
    }

    @Test
    void onlyPutsDeletesAndBatchesOfThemChangeValues() {
        operations.forEach((operation, paths) -> assertThat(ValuePaths.writtenBy(operation))
                .as(operation.toString())
                .isEqualTo(paths));
        commands.forEach((command, paths) ->
                assertThat(ValuePaths.writtenBy(command)).as(command.toString()).isEqualTo(paths));
    }
}
