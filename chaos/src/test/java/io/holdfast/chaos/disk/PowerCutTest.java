package io.holdfast.chaos.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The undo log here is written by hand, as the shim writes it; with the shim itself see {@link DiskShimIT}. */
final class PowerCutTest {
    @TempDir
    private Path top;

    private Path data;
    private Path undo;
    private Path links;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @BeforeEach
    void makeDirectories() throws IOException {
        data = Files.createDirectory(top.resolve("data"));
        undo = top.resolve("undo");
        links = Files.createDirectory(top.resolve("kept"));
    }

    private int play() throws IOException {
        Files.write(undo, log.toByteArray());
        return new PowerCut(data, undo, links).play(null);
    }

    private void record(char type, long inode, long a, long b, String first, String second) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(40).order(ByteOrder.nativeOrder());
        header.put(0, (byte) type);
        header.putInt(4, first.length());
        header.putInt(8, second.length());
        header.putLong(16, inode);
        header.putLong(24, a);
        header.putLong(32, b);
        log.write(header.array());
        log.write(first.getBytes(UTF_8));
        log.write(second.getBytes(UTF_8));
    }

    private static long inode(Path file) throws IOException {
        return (Long) Files.getAttribute(file, "unix:ino");
    }

    @Test
    void appendsWithoutASyncAreLost() throws IOException {
        Path file = Files.writeString(data.resolve("log"), "durable+lost");
        record('W', inode(file), 0, 0, "", "");
        long position = log.size();
        record('S', inode(file), position, 0, "", "");
        record('W', inode(file), 7, 7, "", "");

        assertThat(play()).isEqualTo(1);
        assertThat(file).hasContent("durable");
        assertThat(undo).doesNotExist();
    }

    @Test
    void aSyncCoversOnlyWhatCameBeforeIt() throws IOException {
        Path file = Files.writeString(data.resolve("log"), "onetwo");
        record('W', inode(file), 0, 0, "", "");
        long began = log.size();
        record('W', inode(file), 3, 3, "", "");
        record('S', inode(file), began, 0, "", "");

        play();
        assertThat(file).hasContent("one");
    }

    @Test
    void overwrittenAndCutOffBytesComeBack() throws IOException {
        Path file = Files.writeString(data.resolve("log"), "heXX");
        record('W', inode(file), 2, 5, "ll", "");
        record('T', inode(file), 4, 5, "o", "");

        play();
        assertThat(file).hasContent("hello");
    }

    @Test
    void entriesNeedASyncOfTheirDirectory() throws IOException {
        Path made = Files.writeString(data.resolve("made"), "");
        Path renamed = Files.writeString(data.resolve("name"), "new");
        Path kept = Files.writeString(links.resolve("1"), "old");
        Path gone = data.resolve("gone");
        Path link = Files.writeString(kept.resolveSibling("2"), "deleted");
        long directory = inode(data);
        record('C', inode(made), directory, 0, made.toString(), "");
        record('U', inode(kept), directory, 0, renamed.toString(), kept.toString());
        record(
                'R',
                inode(renamed),
                directory,
                0,
                renamed.toString(),
                data.resolve("aside").toString());
        record('U', inode(link), directory, 0, gone.toString(), link.toString());

        assertThat(play()).isEqualTo(4);
        assertThat(made).doesNotExist();
        assertThat(renamed).hasContent("old");
        assertThat(data.resolve("aside")).hasContent("new");
        assertThat(gone).hasContent("deleted");
    }

    @Test
    void withASeedABeginningOfEachFilesChangesStays() throws IOException {
        Path file = Files.writeString(data.resolve("log"), "abcdefgh");
        for (int i = 0; i < 8; i++) {
            record('W', inode(file), i, i, "", "");
        }
        Files.write(undo, log.toByteArray());

        new PowerCut(data, undo, links).play(new SplittableRandom(3));

        assertThat("abcdefgh").startsWith(Files.readString(file));
    }
}
