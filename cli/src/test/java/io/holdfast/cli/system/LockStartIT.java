package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.system.Holdfast.Result;
import io.holdfast.cli.system.Holdfast.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Between the grant and the command's first instruction, with a {@code setsid} that takes its time (C30, ADR 0005). */
final class LockStartIT {
    @TempDir
    static Path cellDirectory;

    @TempDir
    Path directory;

    private static Holdfast holdfast;

    private Path waiting;
    private Path go;
    private Path ran;

    @BeforeAll
    static void startCell() {
        holdfast = DevProcess.cellIn(cellDirectory);
    }

    @AfterAll
    static void stopAll() {
        holdfast.close();
    }

    @BeforeEach
    void makeSlowSetsid() throws IOException {
        waiting = directory.resolve("waiting");
        go = directory.resolve("go");
        ran = directory.resolve("ran");
        Path slow = Files.writeString(
                directory.resolve("setsid"),
                String.join(
                        "\n",
                        "#!/bin/sh",
                        "PATH=${PATH#*:}",
                        "if [ \"$1\" = flock ]; then", // the child, not the watchdog
                        "  echo $$ >" + waiting,
                        "  while [ ! -e " + go + " ]; do sleep 0.05; done",
                        "fi",
                        "exec setsid \"$@\"",
                        ""));
        assertThat(slow.toFile().setExecutable(true)).isTrue();
    }

    private Running startSlowly(String lock, String... options) {
        String[] line = new String[options.length + 6];
        line[0] = "lock";
        line[1] = lock;
        System.arraycopy(options, 0, line, 2, options.length);
        System.arraycopy(
                new String[] {"--", "sh", "-c", "echo >" + ran + "; exec sleep 600"}, 0, line, 2 + options.length, 4);
        return holdfast.startWith(Map.of("PATH", directory + ":" + System.getenv("PATH")), line);
    }

    private long awaitWaiting() {
        Holdfast.await("setsid", () -> Holdfast.read(waiting).endsWith("\n"));
        return Long.parseLong(Holdfast.read(waiting).strip());
    }

    /** A wrapper that is killed then would leave a command that no signal to the group had reached. */
    @Test
    void theGateStaysShutUntilTheChildLeadsItsGroup() throws Exception {
        Running wrapper = startSlowly("/slow");
        long child = awaitWaiting();
        long watchdog = wrapper.process()
                .children()
                .mapToLong(ProcessHandle::pid)
                .filter(pid -> pid != child)
                .findFirst()
                .orElseThrow();
        Thread.sleep(500);
        assertThat(Path.of("/proc/" + watchdog + "/fd/9")).as("the gate's lock").exists();

        wrapper.signal("KILL");
        wrapper.await();
        Files.createFile(go);
        Holdfast.await("the child is gone", () -> !Holdfast.isRunning(child));
        Holdfast.await("the watchdog is gone", () -> !Holdfast.isRunning(watchdog));
        assertThat(ran).doesNotExist();
    }

    @Test
    void aChildThatDoesNotLeadAGroupIsNotRun() throws IOException {
        Running wrapper = startSlowly("/never");
        long child = awaitWaiting();

        Result result = wrapper.await();
        assertThat(result.status()).as(result.err()).isEqualTo(126);
        assertThat(result.err()).contains("process group");
        Holdfast.await("the child is gone", () -> !Holdfast.isRunning(child));
        assertThat(holdfast.run("lock", "/never", "--try", "--", "true").status())
                .isZero();
    }

    @Test
    void aWrapperThatIsStoppedBeforeTheCommandBeginsAndWakesTooLateDoesNotRunIt() throws IOException {
        Running wrapper = startSlowly("/stopped", "--lease", "4s");
        awaitWaiting();
        wrapper.signal("STOP");
        assertThat(holdfast.run("lock", "/stopped", "--timeout", "60s", "--", "true")
                        .status())
                .isZero();
        Files.createFile(go);
        wrapper.signal("CONT");

        Result result = wrapper.await();
        assertThat(result.status()).as(result.err()).isEqualTo(5);
        assertThat(ran).doesNotExist();
    }
}
