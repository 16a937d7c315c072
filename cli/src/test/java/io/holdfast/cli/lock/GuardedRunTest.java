package io.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.lock.GuardedRun.End;
import io.holdfast.cli.lock.LossPolicy.OnLost;
import io.holdfast.cli.process.CaughtSignal;
import io.holdfast.cli.process.ChildLease;
import io.holdfast.cli.process.CommandGroup;
import io.holdfast.cli.process.QuitWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the wrapper does while its command runs, without processes (C30, C31). */
final class GuardedRunTest {
    private static final long SECOND = 1_000_000_000L;

    private final Events events = new Events(QuitWatch.ofProcess());
    private final Group group = new Group();
    private final List<String> notes = new ArrayList<>();
    private long remainingNanos = 12 * SECOND;

    private GuardedRun run(long unkillableNanos) {
        HeldLock held = new HeldLock() {
            @Override
            public long remainingNanos() {
                return remainingNanos;
            }

            @Override
            public void onLost(Runnable listener) {}
        };
        return new GuardedRun(
                group, held, new LossPolicy(OnLost.term, SECOND), events, SECOND, unkillableNanos, notes::add);
    }

    /** A wrapper that is stopped right after it passed a signal on leaves a watchdog that knows the lease of that moment. */
    @Test
    void theWatchdogKnowsTheLeaseWheneverItsTimerBeginsAnew() {
        events.signal(new CaughtSignal("USR1", 10));

        assertThat(run(SECOND).run()).isEqualTo(End.IN_TIME);

        assertThat(group.told).containsSubsequence("lease", "lease", "USR1", "lease", "finish");
    }

    @Test
    void aCommandThatEndsInTimeIsNotLost() {
        group.ended = true;
        assertThat(run(SECOND).run()).isEqualTo(End.IN_TIME);
    }

    @Test
    void aLeaseThatIsOverWhenTheWatchdogHasEndedIsLost() {
        group.ended = true;
        group.onFinish = () -> remainingNanos = 0;
        assertThat(run(SECOND).run()).isEqualTo(End.LOST);
    }

    /** Whoever was first to kill it, its user learns that it was killed. */
    @Test
    void aCommandThatTheWatchdogKilledIsSaidToBeKilled() {
        remainingNanos = SECOND / 2;
        group.onTerm = () -> {
            group.ended = true;
            group.killed = true;
            events.wake();
        };
        assertThat(run(SECOND).run()).isEqualTo(End.LOST);
        assertThat(group.told).contains("TERM").doesNotContain("KILL");
        assertThat(notes).anyMatch(note -> note.contains("killed"));
    }

    @Test
    void aCommandThatEndsWhenToldIsNotSaidToBeKilled() {
        remainingNanos = SECOND / 2;
        group.onTerm = () -> {
            group.ended = true;
            events.wake();
        };
        assertThat(run(SECOND).run()).isEqualTo(End.LOST);
        assertThat(notes).hasSize(1).noneMatch(note -> note.contains("killed"));
    }

    /** As a process that hangs in the kernel. */
    @Test
    void whatCannotBeKilledIsSaid() {
        group.ended = true;
        group.immortal = true;
        assertThat(run(SECOND / 100).run()).isEqualTo(End.NOT_GONE);
        assertThat(group.told).contains("TERM", "KILL");
    }

    /** The watchdog was told to end it, so it says nothing of the lease. */
    @Test
    void aLeaseThatWasOverWhileLeftoversWereEndedIsLostAlsoIfItIsRenewed() {
        group.ended = true;
        group.leftovers = true;
        group.onTerm = () -> remainingNanos = 0;
        group.onKill = () -> remainingNanos = 12 * SECOND;
        assertThat(run(SECOND).run()).isEqualTo(End.LOST);
        assertThat(group.told).contains("TERM", "KILL");
    }

    @Test
    void leftoversThatMustBeKilledWhileTheLeaseRunsAreNoLoss() {
        group.ended = true;
        group.leftovers = true;
        assertThat(run(SECOND).run()).isEqualTo(End.IN_TIME);
        assertThat(group.told).contains("TERM", "KILL");
    }

    /** As after {@code kill -9} of the watchdog alone: a wrapper that is stopped later could not end it. */
    @Test
    void aCommandWhoseWatchdogHasEndedIsKilled() {
        group.guarded = false;
        assertThat(run(SECOND / 100).run()).isEqualTo(End.LOST);
        assertThat(group.told).contains("KILL");
    }

    /** A command that ends when it gets a signal. */
    private static final class Group implements CommandGroup {
        final List<String> told = new ArrayList<>();
        boolean ended;
        boolean immortal;
        /** It ends by itself; what it left does not. */
        boolean leftovers;

        boolean killed;
        boolean guarded = true;
        Runnable onFinish = () -> {};
        Runnable onTerm = () -> {};
        Runnable onKill = () -> {};

        @Override
        public CompletableFuture<?> onExit() {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<?> onUnguarded() {
            return new CompletableFuture<>();
        }

        @Override
        public boolean isGuarded() {
            return guarded;
        }

        @Override
        public boolean isCommandAlive() {
            return !ended;
        }

        @Override
        public boolean wasKilled() {
            return killed;
        }

        @Override
        public boolean isGone() {
            return ended && !immortal && !leftovers;
        }

        @Override
        public void lease(ChildLease lease) {
            told.add("lease");
        }

        @Override
        public void signal(String name) {
            told.add(name);
            ended = true;
        }

        @Override
        public void term(long killAfterNanos) {
            told.add("TERM");
            onTerm.run();
        }

        @Override
        public void kill() {
            told.add("KILL");
            ended = true;
            leftovers = false;
            onKill.run();
        }

        @Override
        public boolean finish() {
            told.add("finish");
            onFinish.run();
            return false;
        }
    }
}
