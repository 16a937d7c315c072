package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three replica processes, and the disk of the leader gives trouble (C70): the cell goes on without it. */
final class ReplicaDisksIT {
    private static final int SIZE = 3;

    @TempDir
    Path directory;

    private final List<Path> mounted = new ArrayList<>();
    private Holdfast holdfast;
    private ReplicaCell cell;

    @BeforeEach
    void prepare() {
        int firstPort = ReplicaCell.freePorts(SIZE);
        holdfast = new Holdfast(directory, ReplicaCell.endpoints(SIZE, firstPort));
        cell = new ReplicaCell(holdfast, directory, SIZE, firstPort);
    }

    @AfterEach
    void stopAll() {
        holdfast.close();
        mounted.forEach(path -> succeeds("umount", path.toString()));
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private static void fill(Path file) throws IOException {
        int size = 1 << 16;
        try (OutputStream out = Files.newOutputStream(file)) {
            while (size > 0) {
                try {
                    out.write(new byte[size]);
                } catch (IOException full) {
                    size /= 2;
                }
            }
        }
    }

    private void awaitOtherLeader(int leader) {
        Holdfast.await("another leader", () -> cell.leader() != leader);
    }

    @Test
    void aLeaderWhoseDiskIsFullGivesUpItsLeadAndIsBackWhenThereIsRoom() throws IOException {
        for (int number = 1; number <= SIZE; number++) {
            Path disk = Files.createDirectories(cell.data(number));
            assumeTrue(
                    succeeds("mount", "-t", "tmpfs", "-o", "size=16m", "holdfast-test", disk.toString()),
                    "mounting a small disk takes root");
            mounted.add(disk);
        }
        cell.startAll();
        int leader = cell.leader();
        Path filler = cell.data(leader).resolve("filler");
        fill(filler);
        // More than what is left in the last page of the log's file. What came of it may be unknown, as the lead
        // changes.
        assertThat(holdfast.runWithInput(new byte[60_000], "put", "/v/a", "-").status())
                .isIn(0, 3);
        awaitOtherLeader(leader);
        assertThat(cell.http(leader, "/livez").statusCode()).isEqualTo(200);
        assertThat(holdfast.run("put", "/v/b", "two").status()).isZero();
        assertThat(cell.logged(leader, "the disk is full: ")).hasSize(1);

        Files.delete(filler);
        Holdfast.await(
                "room", () -> !cell.logged(leader, "there is room on the disk").isEmpty());
        assertThat(cell.logged(leader, "there is room on the disk")).hasSize(1);
        int second = cell.leader();
        cell.kill(second == leader ? leader % SIZE + 1 : 1 + 2 + 3 - leader - second);
        assertThat(holdfast.run("put", "/v/c", "three", "--call-timeout", "60s").status())
                .as("a majority takes the one that was full")
                .isZero();
    }
}
