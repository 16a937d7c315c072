package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.system.Holdfast.Running;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A signal ends the wrapper although the cell does not answer the release (C111). */
final class UnansweredReleaseIT {
    private static final String[] PATIENT = {"--lease", "60s", "--call-timeout", "10m"};
    /** Much less than the call timeout, much more than it takes. */
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private Holdfast holdfast;
    private DevProcess cell;

    @BeforeEach
    void startCell() {
        int port = DevProcess.freePorts();
        holdfast = new Holdfast(directory, "127.0.0.1:" + port);
        cell = new DevProcess(holdfast, directory.resolve("data"), port).start();
    }

    @AfterEach
    void stopAll() {
        holdfast.close();
    }

    private static String[] patient(String... arguments) {
        String[] all = new String[arguments.length + PATIENT.length];
        System.arraycopy(arguments, 0, all, 0, 2);
        System.arraycopy(PATIENT, 0, all, 2, PATIENT.length);
        System.arraycopy(arguments, 2, all, 2 + PATIENT.length, arguments.length - 2);
        return all;
    }

    private void ends(Running wrapper, int status) {
        Holdfast.await("ended", SOON, () -> !wrapper.process().isAlive());
        assertThat(wrapper.await().status()).isEqualTo(status);
        assertThat(wrapper.stderr()).contains("was not confirmed");
    }

    @Test
    void whileACommandWasAskedToEnd() {
        Path pid = directory.resolve("pid");
        Running wrapper =
                holdfast.start(patient("lock", "/r", "--", "sh", "-c", "echo $$ > " + pid + "; exec sleep 600"));
        Holdfast.await("started", () -> Holdfast.read(pid).endsWith("\n"));
        long command = Long.parseLong(Holdfast.read(pid).strip());
        cell.running().signal("STOP");
        wrapper.signal("TERM");
        ends(wrapper, 143);
        assertThat(Holdfast.isRunning(command)).isFalse();
    }

    @Test
    void alsoWhenTheSignalComesWhileTheReleaseWaits() {
        Path go = directory.resolve("go");
        Path started = directory.resolve("started");
        Running wrapper = holdfast.start(patient(
                "lock",
                "/r",
                "--",
                "sh",
                "-c",
                "touch " + started + "; until [ -e " + go + " ]; do sleep 0.1; done; exit 7"));
        Holdfast.await("started", () -> Files.exists(started));
        cell.running().signal("STOP");
        Holdfast.await("gone", () -> {
            try {
                Files.write(go, new byte[0]);
            } catch (java.io.IOException failed) {
                throw new AssertionError(failed);
            }
            return wrapper.process().children().findAny().isEmpty();
        });
        assertThat(wrapper.requireRunning()).isTrue();
        wrapper.signal("INT");
        ends(wrapper, 7);
    }

    @Test
    void withoutACommand() {
        Running wrapper = holdfast.start(Redirect.PIPE, patient("lock", "/r"));
        Holdfast.await("token", () -> wrapper.stdout().endsWith("\n"));
        cell.running().signal("STOP");
        wrapper.signal("TERM");
        ends(wrapper, 143);
    }
}
