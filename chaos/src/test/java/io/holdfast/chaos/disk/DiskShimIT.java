package io.holdfast.chaos.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.chaos.proc.Shell;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM writes files under the real shim and dies; then its power is cut. */
final class DiskShimIT {
    @TempDir
    private Path top;

    private Path shim;
    private ReplicaDisk disk;

    /** Writes what the tests expect, then halts as a kill would. */
    public static final class Writer {
        private Writer() {}

        public static void main(String[] args) throws IOException {
            Path data = Path.of(args[0]);
            Path log = data.resolve("log");
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                append(channel, "durable ");
                channel.force(false);
                sync(data);
                append(channel, "lost");
                Path aside = Files.writeString(data.resolve("aside"), "new");
                sync(data);
                Files.move(aside, data.resolve("renamed"), StandardCopyOption.ATOMIC_MOVE);
                Files.delete(Files.writeString(data.resolve("short-lived"), "x"));
                Runtime.getRuntime().halt(0);
            }
        }

        private static void append(FileChannel channel, String text) throws IOException {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), channel.size());
        }

        private static void sync(Path directory) throws IOException {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    @BeforeEach
    void compile() throws IOException {
        assumeTrue(Shell.succeeds("gcc", "--version"), "gcc is needed");
        shim = top.resolve("diskshim.so");
        Shell.run(
                "gcc", "-O2", "-shared", "-fPIC", "-o", shim.toString(), "src/main/c/diskshim.c", "-ldl", "-lpthread");
        disk = new ReplicaDisk(top.resolve("disk"), false);
    }

    private void write() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        java.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        disk.data().toString()))
                .inheritIO();
        builder.environment().put("LD_PRELOAD", shim.toString());
        builder.environment().put("CHAOS_DISK_DIR", disk.data().toString());
        builder.environment().put("CHAOS_DISK_UNDO", disk.undoLog().toString());
        builder.environment().put("CHAOS_DISK_KEPT", disk.kept().toString());
        builder.environment().put("CHAOS_DISK_CONTROL", disk.controlFile().toString());
        assertThat(builder.start().waitFor()).isZero();
    }

    @Test
    void aPowerCutLosesExactlyWhatWasNotSynced() throws Exception {
        write();
        assertThat(disk.data().resolve("log")).hasContent("durable lost");

        assertThat(disk.cutPower(null)).isPositive();

        assertThat(disk.data().resolve("log")).hasContent("durable ");
        assertThat(disk.data().resolve("renamed")).doesNotExist();
        assertThat(disk.data().resolve("aside")).isEmptyFile();
        assertThat(disk.data().resolve("short-lived")).doesNotExist();
    }

    @Test
    void syncsAreDelayedAndCounted() throws Exception {
        disk.control().delaySyncs(200);
        long start = System.nanoTime();
        write();
        assertThat(System.nanoTime() - start).isGreaterThan(600_000_000L);
        assertThat(disk.control().delayedSyncs()).isEqualTo(3);
        assertThat(disk.control().syncs()).isEqualTo(3);
    }
}
