package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watchdog and a child, each a process, and a wrapper that dies at the worst moment (C30, ADR 0005). */
final class WatchdogIT {
    private static final ChildLease LONG = new ChildLease(TimeUnit.MINUTES.toNanos(10), TimeUnit.SECONDS.toNanos(1));
    private static final long PATIENCE_MILLIS = 60_000;
    private static final int KILLED = 128 + 9;

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

        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(128 + 9);
        assertThat(ran).doesNotExist();
    }

    @Test
    void theCommandBeginsWhenItsGroupIsKnownAndEndsWithTheWrapper() throws Exception {
        Watchdog watchdog = Watchdog.start();
        Path ran = directory.resolve("ran");
        child = new ChildGroup.Prepared(watchdog).launch(command(ran), Map.of(), () -> LONG);
        watchdog.group(child.pid(), LONG);
        for (int i = 0; i < 3_000 && !Files.exists(ran); i++) {
            Thread.sleep(10);
        }
        assertThat(ran).exists();
        watchdog.closeMessages();

        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(128 + 9);
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

    @Test
    void whatItKillsBecauseItWasToldToIsNoLoss() throws Exception {
        Watchdog watchdog = Watchdog.start();
        Path ran = directory.resolve("ran");
        child = new ChildGroup.Prepared(watchdog).launch(deaf(ran, directory.resolve("term")), Map.of(), () -> LONG);
        watchdog.group(child.pid(), LONG);
        await(ran);
        watchdog.term(1);

        assertKilled();
        assertThat(watchdog.finish(PATIENCE_MILLIS)).as("the wrapper judges").isFalse();
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
}
