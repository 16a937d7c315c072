package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watchdog and a child, each a process, and a wrapper that dies or is stopped at the worst moment (C30, ADR 0005). */
final class WatchdogIT {
    private static final ChildLease LONG = new ChildLease(TimeUnit.MINUTES.toNanos(10), TimeUnit.SECONDS.toNanos(1));
    private static final ChildLease NONE = new ChildLease(0, TimeUnit.MINUTES.toNanos(10));
    private static final int KILLED = 128 + 9;
    private static final long PATIENCE_MILLIS = 60_000;

    @TempDir
    Path directory;

    private Process child;

    @AfterEach
    void killChild() {
        if (child != null) {
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly();
        }
    }

    /** Leaves no trace in its environment. */
    private List<String> command(Path ran) {
        return List.of("env", "-i", "PATH=" + System.getenv("PATH"), "sh", "-c", "echo > " + ran + "; exec sleep 600");
    }

    @Test
    void aWrapperThatDiesBeforeItTellsTheGroupLeavesNoCommand() throws Exception {
        Watchdog watchdog = Watchdog.start();
        assertThat(watchdog.gate()).as("this system has a gate").isNotEmpty();
        Path ran = directory.resolve("ran");
        child = new ChildGroup.Prepared(watchdog).launch(command(ran), Map.of(), () -> LONG);
        Thread.sleep(300);

        assertThat(ran).as("not before the watchdog knows its group").doesNotExist();
        watchdog.closeMessages(); // as when the wrapper is killed

        assertKilled();
        assertThat(ran).doesNotExist();
    }

    @Test
    void theCommandBeginsWhenItsGroupIsKnownAndEndsWithTheWrapper() throws Exception {
        Watchdog watchdog = Watchdog.start();
        Path ran = directory.resolve("ran");
        child = new ChildGroup.Prepared(watchdog).launch(command(ran), Map.of(), () -> LONG);
        watchdog.group(child.pid(), LONG);
        await(ran);
        watchdog.closeMessages();

        assertKilled();
    }

    @Test
    void aChildThatNeverComesIsNotWaitedForForEver() throws IOException, InterruptedException {
        Watchdog watchdog = Watchdog.start();
        List<String> gate = watchdog.gate();
        watchdog.expect(LONG);
        watchdog.closeMessages();
        assertThat(watchdog.awaitEnd(PATIENCE_MILLIS)).isTrue();

        Process late = new ProcessBuilder(List.of("flock", "--no-fork", gate.get(2), "true")).start();
        assertThat(late.waitFor()).as("who comes too late does not get through").isNotZero();
    }

    /** The group did not exist when it was told, nor when the wrapper died: a single KILL finds nobody. */
    @Test
    void aChildThatMakesItsGroupWhileItIsKilledIsKilledToo() throws Exception {
        Watchdog watchdog = Watchdog.start();
        Path go = directory.resolve("go");
        String late = "while [ ! -e " + go + " ]; do sleep 0.05; done; exec setsid sleep 600";
        child = new ProcessBuilder("sh", "-c", late).start();
        watchdog.expect(LONG);
        watchdog.group(child.pid(), LONG);
        watchdog.closeMessages();
        Thread.sleep(500);
        Files.createFile(go);

        assertKilled();
        assertThat(watchdog.awaitEnd(PATIENCE_MILLIS)).isTrue();
    }

    /** As after a stop of the wrapper between the two words: another may hold by now. */
    @Test
    void theGateStaysShutIfTheLeaseWasOverBeforeTheGroupWasKnown() throws Exception {
        Watchdog watchdog = Watchdog.start();
        Path ran = directory.resolve("ran");
        List<String> line = new ArrayList<>(watchdog.gate());
        line.addAll(command(ran));
        watchdog.expect(NONE);
        Thread.sleep(300);
        // Without its mark, so it is not found before it is told.
        child = new ProcessBuilder(SessionLeader.command(line)).start();
        awaitLeading();
        watchdog.group(child.pid(), LONG);

        assertKilled();
        assertThat(ran).doesNotExist();
        assertThat(watchdog.finish(PATIENCE_MILLIS)).as("it acted").isTrue();
    }

    @Test
    void aLeaseThatIsOverWhenTheChildStandsAtTheGateStartsNothing() throws Exception {
        Watchdog watchdog = Watchdog.start();
        Path ran = directory.resolve("ran");
        Iterator<ChildLease> leases = List.of(LONG, NONE).iterator();
        assertThat(new ChildGroup.Prepared(watchdog)
                        .start(command(ran), Map.of(), () -> leases.hasNext() ? leases.next() : NONE))
                .isEmpty();
        watchdog.finish();
        Thread.sleep(300);
        assertThat(ran).doesNotExist();
    }

    /** It looks at its clock while it reads, and reads a pipe byte by byte: a line may come in pieces. */
    @Test
    void aWordThatComesInPiecesIsOneWord() throws Exception {
        Watchdog watchdog = Watchdog.start();
        Path ran = directory.resolve("ran");
        child = new ChildGroup.Prepared(watchdog).launch(command(ran), Map.of(), () -> LONG);
        for (String piece : List.of("gro", "up " + child.pid(), " ", "600.0", "00 1.000", "\n")) {
            watchdog.write(piece);
            Thread.sleep(250); // more than one look at the clock
        }
        await(ran);
        watchdog.write("ki");
        Thread.sleep(250);
        watchdog.write("ll\n");

        assertKilled();
        assertThat(watchdog.finish(PATIENCE_MILLIS)).isFalse();
    }

    @Test
    void whatItKillsBecauseItWasToldToIsNoLoss() throws Exception {
        Watchdog watchdog = startDeaf();
        watchdog.term(1);

        assertKilled();
        assertThat(watchdog.finish(PATIENCE_MILLIS)).as("the wrapper judges").isFalse();
    }

    /** Nor may TERM that comes shortly before the end of the lease put the end off. */
    @Test
    void afterTermItKillsAtTheEndOfTheLeaseAtTheLatest() throws Exception {
        Watchdog watchdog = startDeaf();
        watchdog.lease(new ChildLease(TimeUnit.SECONDS.toNanos(1), 0));
        watchdog.term(TimeUnit.MINUTES.toNanos(10));

        assertKilled();
    }

    /**
     * All of it was stopped, and only the wrapper still is: who holds next may be at work already, so no grace is left, nor
     * what its timer had left when it was stopped.
     */
    @Test
    void aWatchdogThatWakesAfterTheEndOfTheLeaseKillsAtOnce() throws Exception {
        long termNanos = TimeUnit.SECONDS.toNanos(15);
        Watchdog watchdog = Watchdog.start();
        Path ran = directory.resolve("ran");
        Path term = directory.resolve("term");
        child = new ChildGroup.Prepared(watchdog).launch(deaf(ran, term), Map.of(), () -> LONG);
        long toldNanos = System.nanoTime();
        watchdog.group(child.pid(), new ChildLease(termNanos, TimeUnit.SECONDS.toNanos(1)));
        await(ran);
        signal("STOP", watchdog.pid());
        signal("STOP", child.pid());
        assumeThat(System.nanoTime() - toldNanos).as("stopped in time").isLessThan(termNanos);
        Thread.sleep(17_000);
        signal("CONT", watchdog.pid()); // and the child by whatever it is sent

        // Looks, not time: a machine that stands still meanwhile takes as many.
        for (int looks = 0; looks < 100 && child.isAlive(); looks++) {
            Thread.sleep(100);
        }
        assertThat(child.isAlive()).isFalse();
        assertKilled();
        assertThat(term).as("no TERM before").doesNotExist();
        assertThat(watchdog.finish(PATIENCE_MILLIS)).as("it acted").isTrue();
    }

    /** Session ids are small numbers that each cell counts for itself. */
    @Test
    void aCommandOfAnotherCellsSessionIsLeftAlone() throws Exception {
        Watchdog watchdog = Watchdog.start();
        ProcessBuilder other = new ProcessBuilder(SessionLeader.command(List.of("sleep", "600")));
        other.environment().put("HOLDFAST_SESSION", "7");
        other.environment().put(ChildGroup.MARK_VARIABLE, "1-" + watchdog.mark());
        child = other.start();
        awaitLeading();
        Watchdog second = Watchdog.start();
        assertThat(second.mark()).isNotEqualTo(watchdog.mark());
        watchdog.expect(LONG);
        watchdog.closeMessages();

        assertThat(watchdog.awaitEnd(PATIENCE_MILLIS)).isTrue();
        assertThat(child.isAlive()).isTrue();
        second.finish();
    }

    private Watchdog startDeaf() throws Exception {
        Watchdog watchdog = Watchdog.start();
        Path ran = directory.resolve("ran");
        child = new ChildGroup.Prepared(watchdog).launch(deaf(ran, directory.resolve("term")), Map.of(), () -> LONG);
        watchdog.group(child.pid(), LONG);
        await(ran);
        return watchdog;
    }

    /** Says that it got TERM, and goes on. */
    private static List<String> deaf(Path ran, Path term) {
        return List.of("sh", "-c", "trap 'echo > " + term + "' TERM; echo > " + ran + "; while :; do sleep 0.1; done");
    }

    private void assertKilled() throws InterruptedException {
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(KILLED);
    }

    private static void await(Path file) throws InterruptedException {
        for (int i = 0; i < 6_000 && !Files.exists(file); i++) {
            Thread.sleep(10);
        }
        assertThat(file).exists();
    }

    private void awaitLeading() throws InterruptedException {
        for (int i = 0; i < 6_000 && !SessionMembers.leadsSession(child.pid()).orElse(false); i++) {
            Thread.sleep(10);
        }
    }

    private static void signal(String name, long pid) throws Exception {
        new ProcessBuilder("kill", "-" + name, "--", Long.toString(pid)).start().waitFor();
    }
}
