package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.system.Holdfast.Result;
import io.holdfast.cli.system.Holdfast.Running;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wrapper against a living cell: status, streams, environment, signals, and what a lost lock does (C30, C31, C111). */
final class LockCommandIT {
    @TempDir
    static Path directory;

    private static Holdfast holdfast;
    private static DevProcess dev;

    @BeforeAll
    static void startCell() {
        int port = DevProcess.freePorts();
        holdfast = new Holdfast(directory, "127.0.0.1:" + port);
        dev = new DevProcess(holdfast, directory.resolve("data"), port).start();
    }

    @AfterAll
    static void stopAll() {
        holdfast.close();
    }

    @Test
    void statusStreamsAndEnvironmentAreTheCommands() throws IOException {
        assertThat(holdfast.run("lock", "/s", "--", "sh", "-c", "exit 7").status())
                .isEqualTo(7);
        assertThat(holdfast.run("lock", "/s", "--", "sh", "-c", "kill -9 $$").status())
                .isEqualTo(137);
        assertThat(holdfast.run("lock", "/s", "--", "no-such-command").status()).isEqualTo(127);
        assertThat(holdfast.run("lock", "/s", "--", "/etc/passwd").status()).isEqualTo(126);
        Path bad = Files.writeString(directory.resolve("bad"), "#!/nowhere/sh\n");
        assertThat(bad.toFile().setExecutable(true)).isTrue();
        assertThat(holdfast.run("lock", "/s", "--", bad.toString()).status()).isEqualTo(127);

        Result streams = holdfast.runWithInput(
                "in\n".getBytes(StandardCharsets.UTF_8), "lock", "/s", "--", "sh", "-c", "cat; echo err >&2");
        assertThat(streams.out()).isEqualTo("in\n");
        assertThat(streams.err()).isEqualTo("err\n");

        Result environment = holdfast.run(
                "lock",
                "/s",
                "--",
                "sh",
                "-c",
                "echo $HOLDFAST_LOCK $HOLDFAST_ENDPOINTS; test $HOLDFAST_TOKEN -gt $HOLDFAST_SESSION && echo zürich");
        assertThat(environment.out()).isEqualTo("/s " + dev.endpoint() + "\nzürich\n");
    }

    @Test
    void whatItCannotDoWithoutIsNamed() {
        Result result = holdfast.runWith(Map.of("PATH", "/nowhere"), "lock", "/s", "--", "/bin/true");
        assertThat(result.status()).isEqualTo(126);
        assertThat(result.err()).contains("bash is not on the PATH").doesNotContain("Exception");
    }

    @ParameterizedTest
    @CsvSource({"INT,130", "TERM,143", "HUP,129", "USR1,138", "USR2,140"})
    void aSignalReachesTheWholeGroupAndTheLockIsReleased(String signal, int status) {
        Path pid = directory.resolve("grandchild-" + signal);
        Running wrapper =
                holdfast.start("lock", "/sig-" + signal, "--", "sh", "-c", "sleep 600 & echo $! > " + pid + "; wait");
        Holdfast.await("grandchild", () -> Holdfast.read(pid).endsWith("\n"));

        wrapper.signal(signal);

        assertThat(wrapper.await().status()).isEqualTo(status);
        assertThat(Holdfast.isRunning(Long.parseLong(Holdfast.read(pid).strip())))
                .isFalse();
        assertThat(holdfast.run("lock", "/sig-" + signal, "--try", "--", "true").status())
                .isZero();
    }

    @Test
    void aSignalReachesTheCommandOnce() {
        Path log = directory.resolve("once");
        Running wrapper = holdfast.start(
                "lock",
                "/once",
                "--",
                "bash",
                "-c",
                "trap 'echo got >>" + log + "' INT; trap 'exit 9' TERM; echo up >>" + log
                        + "; while :; do sleep 0.05; done");
        Holdfast.await("started", () -> Holdfast.read(log).contains("up"));
        wrapper.signal("INT");
        Holdfast.await("handled", () -> Holdfast.read(log).contains("got"));
        wrapper.signal("TERM");

        assertThat(wrapper.await().status()).isEqualTo(9);
        assertThat(Holdfast.read(log)).isEqualTo("up\ngot\n");
    }

    /** What stops the wrapper afterwards would leave a command that nobody ends. */
    @Test
    void theCommandEndsWithItsWatchdog() {
        Path pid = directory.resolve("watched");
        Running wrapper = holdfast.start(
                "lock", "/watched", "--", "sh", "-c", "trap '' TERM; echo $$ > " + pid + "; sleep 600; sleep 1");
        Holdfast.await("started", () -> Holdfast.read(pid).endsWith("\n"));
        long command = Long.parseLong(Holdfast.read(pid).strip());
        long watchdog = wrapper.process()
                .children()
                .mapToLong(ProcessHandle::pid)
                .filter(child -> child != command)
                .findFirst()
                .orElseThrow();

        Holdfast.signal("KILL", watchdog);

        Result result = wrapper.await();
        assertThat(result.status()).isEqualTo(5);
        assertThat(result.err()).contains("watchdog");
        assertThat(Holdfast.isRunning(command)).isFalse();
        assertThat(holdfast.run("lock", "/watched", "--try", "--", "true").status())
                .isZero();
    }

    @Test
    void whatTheCommandLeavesInItsGroupIsEndedBeforeTheRelease() {
        Path pid = directory.resolve("left");
        Result result = holdfast.run("lock", "/left", "--", "sh", "-c", "sleep 600 & echo $! > " + pid + "; exit 3");

        assertThat(result.status()).isEqualTo(3);
        assertThat(Holdfast.isRunning(Long.parseLong(Holdfast.read(pid).strip())))
                .isFalse();
    }

    /** The lease runs all the while, so nothing is lost. */
    @Test
    void whatItLeavesMayHaveToBeKilledWithoutALoss() {
        Path pid = directory.resolve("deaf");
        Result result = holdfast.run(
                "lock",
                "/deaf",
                "--kill-after",
                "500ms",
                "--",
                "sh",
                "-c",
                "trap '' TERM; sleep 600 & echo $! > " + pid + "; exit 3");

        assertThat(result.status()).as(result.err()).isEqualTo(3);
        assertThat(Holdfast.isRunning(Long.parseLong(Holdfast.read(pid).strip())))
                .isFalse();
    }

    /** The gate is a file, deleted, that the command still has open. */
    @Test
    void thereIsAGateAlsoWithoutATemporaryDirectory() {
        Result result = holdfast.runWith(
                Map.of("TMPDIR", "/nowhere", "XDG_RUNTIME_DIR", "/nowhere"),
                "lock",
                "/gate",
                "--",
                "sh",
                "-c",
                "ls -l /proc/$$/fd");
        assertThat(result.out()).contains("holdfast-gate");
    }

    @ParameterizedTest
    @CsvSource({"INT,130", "TERM,143"})
    void aSignalWhileWaitingEndsTheWrapperAndLeavesNoWaiter(String signal, int status) {
        Running holder = holdfast.start("lock", "/busy-" + signal, "--", "sleep", "600");
        Holdfast.await(
                "held", () -> holdfast.run("locks", "/busy-" + signal).out().contains("held"));
        Path ran = directory.resolve("ran-" + signal);
        Running waiter = holdfast.start("lock", "/busy-" + signal, "--", "touch", ran.toString());
        Holdfast.await(
                "waiting", () -> holdfast.run("locks", "/busy-" + signal).out().contains("waiting"));

        long before = System.nanoTime();
        waiter.signal(signal);
        assertThat(waiter.await().status()).isEqualTo(status);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));

        assertThat(holdfast.run("locks", "/busy-" + signal).out()).doesNotContain("waiting");
        assertThat(ran).doesNotExist();
        holder.signal("TERM");
        holder.await();
    }

    @Test
    void aSignalWhileNoCellAnswersEndsTheWrapper() {
        Running waiter = holdfast.start(
                "lock",
                "/t",
                "--endpoints",
                "127.0.0.1:" + DevProcess.freePorts(),
                "--call-timeout",
                "10m",
                "--",
                "true");
        // It catches signals before it connects; until then a signal ends it as well, with the same status.
        Holdfast.await("some time", () -> System.nanoTime() - waiter.startNanos() > 3_000_000_000L);
        waiter.signal("TERM");

        assertThat(waiter.await().status()).isEqualTo(143);
    }

    @Test
    void aKilledWrapperTakesItsCommandWithIt() {
        Path pid = directory.resolve("orphan");
        Running wrapper = holdfast.start(
                "lock", "/orphan", "--lease", "4s", "--", "sh", "-c", "echo $$ > " + pid + "; sleep 600");
        Holdfast.await("started", () -> Holdfast.read(pid).endsWith("\n"));

        wrapper.signal("KILL");
        wrapper.await();

        long child = Long.parseLong(Holdfast.read(pid).strip());
        Holdfast.await("the child is gone", () -> !Holdfast.isRunning(child));
        assertThat(holdfast.run("lock", "/orphan", "--timeout", "60s", "--", "true")
                        .status())
                .isZero();
    }

    @Test
    void withoutACommandItHoldsUntilEndOfInput() throws IOException {
        Running holder = holdfast.start(ProcessBuilder.Redirect.PIPE, "lock", "/open");
        Holdfast.await("token", () -> holder.stdout().endsWith("\n"));
        String token = holder.stdout().strip();
        assertThat(holdfast.run("check-token", "/open", token).status()).isZero();

        try (OutputStream input = holder.process().getOutputStream()) {
            input.write("ignored\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(holder.await().status()).isZero();
        assertThat(holdfast.run("check-token", "/open", token).status()).isEqualTo(1);
    }

    @Test
    void sharedHoldersHoldTogetherAndKeepOthersOut() {
        Running first = holdfast.start("lock", "/shared", "--shared", "--", "sleep", "600");
        Running second = holdfast.start("lock", "/shared", "--shared", "--", "sleep", "600");
        Holdfast.await(
                "both hold",
                () -> first.requireRunning()
                        && second.requireRunning()
                        && holdfast.run("locks", "/shared")
                                        .out()
                                        .lines()
                                        .filter(line -> line.contains("held"))
                                        .count()
                                == 2);
        assertThat(holdfast.run("lock", "/shared", "--try", "--", "true").status())
                .isEqualTo(4);
        first.signal("TERM");
        second.signal("TERM");
        first.await();
        second.await();
    }
}
