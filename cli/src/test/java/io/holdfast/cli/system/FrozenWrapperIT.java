package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.system.Holdfast.Result;
import io.holdfast.cli.system.Holdfast.Running;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wrapper that is stopped, alone or with all it started, and a cell that goes away under it (C30). */
final class FrozenWrapperIT {
    @TempDir
    Path directory;

    private Holdfast holdfast;
    private DevProcess dev;

    @BeforeEach
    void startCell() {
        int port = DevProcess.freePorts();
        holdfast = new Holdfast(directory, "127.0.0.1:" + port);
        dev = new DevProcess(holdfast, directory.resolve("data"), port).start();
    }

    @AfterEach
    void stopAll() {
        holdfast.close();
    }

    @Test
    void theNextOneHoldsAndTheWokenOneExitsWith5() {
        Path pid = directory.resolve("child");
        Running frozen = holdfast.start(
                "lock",
                "/f",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo $$ $HOLDFAST_TOKEN > " + pid + "; while :; do sleep 0.1; done");
        Holdfast.await("held", () -> Holdfast.read(pid).endsWith("\n"));
        String[] childAndToken = Holdfast.read(pid).strip().split(" ");
        long child = Long.parseLong(childAndToken[0]);

        frozen.signal("STOP");
        long stoppedNanos = System.nanoTime();
        Running next = holdfast.start(
                "lock",
                "/f",
                "--",
                "sh",
                "-c", // A stopped parent leaves a zombie, which is dead.
                "echo $HOLDFAST_TOKEN; grep -q '^State:.[^ZX]' /proc/" + child + "/status && echo alive");
        Holdfast.await("next holds", () -> next.stdout().endsWith("\n"));
        assertThat(Duration.ofNanos(System.nanoTime() - stoppedNanos)).isLessThan(Duration.ofSeconds(15));
        next.await();
        assertThat(next.stdout())
                .as("a higher token, and the first command is gone")
                .doesNotContain("alive");
        assertThat(Long.parseLong(next.stdout().strip())).isGreaterThan(Long.parseLong(childAndToken[1]));

        Holdfast.await(
                "20 s",
                () -> System.nanoTime() - stoppedNanos > Duration.ofSeconds(20).toNanos());
        frozen.signal("CONT");
        Result woken = frozen.await();
        assertThat(woken.status()).isEqualTo(5);
        assertThat(Holdfast.isRunning(child)).isFalse();
    }

    @Test
    void aWholeProcessTreeThatWasStoppedKillsItsCommandWhenItWakes() {
        Path pid = directory.resolve("child");
        Running frozen = holdfast.start(
                "lock",
                "/f",
                "--lease",
                "4s",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo $$ > " + pid + "; while :; do sleep 0.1; done");
        Holdfast.await("held", () -> Holdfast.read(pid).endsWith("\n"));
        long child = Long.parseLong(Holdfast.read(pid).strip());
        long[] tree =
                frozen.process().descendants().mapToLong(ProcessHandle::pid).toArray();

        frozen.signal("STOP");
        for (long member : tree) {
            Holdfast.signal("STOP", member);
        }
        Result next = holdfast.run("lock", "/f", "--timeout", "60s", "--", "true");
        assertThat(next.status()).as(next.err()).isZero();

        frozen.signal("CONT");
        for (long member : tree) {
            Holdfast.signal("CONT", member);
        }
        assertThat(frozen.await().status()).isEqualTo(5);
        assertThat(Holdfast.isRunning(child)).isFalse();
    }

    @Test
    void withoutACellTheCommandIsGoneBeforeItsLeaseEnds() {
        Path pid = directory.resolve("child");
        Running wrapper = holdfast.start(
                "lock",
                "/f",
                "--lease",
                "4s",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo $$ > " + pid + "; while :; do sleep 0.1; done");
        Holdfast.await("held", () -> Holdfast.read(pid).endsWith("\n"));
        dev.kill();
        long killedNanos = System.nanoTime();

        Result result = wrapper.await();

        assertThat(result.status()).isEqualTo(5);
        assertThat(Holdfast.isRunning(Long.parseLong(Holdfast.read(pid).strip())))
                .isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - killedNanos)).isLessThan(Duration.ofSeconds(30));
    }
}
