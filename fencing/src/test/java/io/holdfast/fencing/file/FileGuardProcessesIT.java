package io.holdfast.fencing.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.LockName;
import io.holdfast.model.FencingToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One guard's file under several processes. */
class FileGuardProcessesIT {
    @TempDir
    private Path directory;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void whatSeveralProcessesWriteNeverGoesBack() throws Exception {
        String file = directory.resolve("fence").toString();
        Path log = directory.resolve("log");
        for (int seed = 1; seed <= 3; seed++) {
            start("append", file, log.toString(), Integer.toString(seed));
        }
        long rejections = 0;
        for (Process process : started) {
            String said = output(process).readLine();
            assertThat(process.waitFor()).isZero();
            assertThat(said).startsWith("rejections ");
            rejections += Long.parseLong(said.substring("rejections ".length()));
        }
        List<Long> tokens = Files.readAllLines(log).stream().map(Long::valueOf).toList();
        assertThat(tokens).isSorted().isNotEmpty();
        assertThat(rejections).isPositive();
        assertThat(tokens.size() + rejections).isEqualTo(3L * GuardedAppender.GRANTS);
        FencingToken last = new FencingToken(tokens.get(tokens.size() - 1));
        assertThat(new FileGuard(directory.resolve("fence")).fence(new LockName(GuardedAppender.LOCK)))
                .isEqualTo(new Fence(last, last));
    }

    @Test
    void aProcessThatIsKilledInItsWriteHoldsNobodyUp() throws Exception {
        Path file = directory.resolve("fence");
        Process hanging = start("hang", file.toString());
        assertThat(output(hanging).readLine()).isEqualTo("inside");
        hanging.destroyForcibly().waitFor();
        FileGuard guard = new FileGuard(file);
        guard.check(Grant.exclusive(GuardedAppender.LOCK, 2));
        assertThat(guard.fence(new LockName(GuardedAppender.LOCK)))
                .isEqualTo(new Fence(new FencingToken(2), new FencingToken(2)));
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                GuardedAppender.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        started.add(process);
        return process;
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }
}
