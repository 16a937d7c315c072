package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.SessionId;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/**
 * The bytes charged to the state's limit against the heap that is really taken, so that the limit is met before memory
 * runs out. Measured with compressed references, as any heap under 32 GB has them.
 */
final class HeapCostTest {
    private static final int MANY = 20_000;

    @Test
    void whatIsChargedIsAboutWhatIsTaken() {
        measure("values", cell -> i -> cell.put("/v/" + i, ""));
        measure("values in folders", cell -> i -> cell.put("/folder/" + i + "/value", "0123456789"));
        measure("sessions", cell -> i -> cell.open("client-" + i));
        measure("results", cell -> {
            SessionId[] sessions = sessions(cell);
            return i -> cell.apply(new Command.Request(
                    sessions[i % 100],
                    1 + i / 100,
                    0,
                    new Operation.Release(
                            new NodePath("/lock/number/" + i + "/x-00000000000000000001"), TestCell.token(1))));
        });
        measure("ephemeral nodes", cell -> {
            SessionId[] sessions = sessions(cell);
            return i -> cell.ephemeral(sessions[i % 100], "/e/" + i);
        });
        measure("locks", cell -> {
            SessionId[] sessions = sessions(cell);
            return i -> cell.exclusive(sessions[i % 100], "/l/" + i);
        });
        measure(
                "leases",
                cell -> i -> cell.apply(new Command.AcquireLease(new LeaseCall.Acquire(
                        new LeaseName("account/" + i),
                        new LeaseOwner("worker-" + i),
                        10_000,
                        "123e4567-e89b-12d3-a456-4266141" + (10_000 + i)))));
        measure("released leases", cell -> i -> {
            LeaseName name = new LeaseName("account");
            LeaseOwner owner = new LeaseOwner("worker");
            cell.apply(new Command.AcquireLease(new LeaseCall.Acquire(name, owner, 10_000, "")));
            FencingToken token = new FencingToken(cell.machine().revision());
            cell.apply(new Command.ReleaseLease(new LeaseCall.Release(name, owner, token)));
        });
        measure("waiters", cell -> {
            SessionId[] sessions = sessions(cell);
            return i -> cell.exclusive(sessions[i % 100], "/lock");
        });
    }

    private static SessionId[] sessions(TestCell cell) {
        SessionId[] sessions = new SessionId[100];
        for (int i = 0; i < sessions.length; i++) {
            sessions[i] = cell.open();
        }
        return sessions;
    }

    private interface Filling {
        IntConsumer of(TestCell cell);
    }

    private static void measure(String what, Filling filling) {
        TestCell cell = new TestCell();
        IntConsumer step = filling.of(cell);
        long heapBefore = usedHeap();
        long chargedBefore = cell.machine().stateBytes();
        for (int i = 0; i < MANY; i++) {
            step.accept(i);
        }
        long taken = usedHeap() - heapBefore;
        long charged = cell.machine().stateBytes() - chargedBefore;
        System.out.printf("%s: %d bytes each taken, %d charged%n", what, taken / MANY, charged / MANY);
        assertThat(taken).as(what).isLessThan(charged * 105 / 100).isGreaterThan(charged / 5);
        assertThat(cell.machine().nodeCount()).isPositive();
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
