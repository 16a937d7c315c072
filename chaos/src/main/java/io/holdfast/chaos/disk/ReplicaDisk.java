package io.holdfast.chaos.disk;

import io.holdfast.chaos.proc.Shell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The disk of one replica: a directory, where possible on a tmpfs of its own, and the control and undo files of its shim.
 *
 * <p><b>Thread:</b> one.
 */
public final class ReplicaDisk {
    private static final int MEGABYTES = 96;
    private static final int PIECE_BYTES = 64 << 10;

    private final Path top;
    private final DiskControl control;
    private final boolean small;

    /**
     * Makes it.
     *
     * @param top directory for all of it
     * @param small whether to mount a tmpfs there
     */
    public ReplicaDisk(Path top, boolean small) throws IOException {
        this.top = top;
        this.small = small;
        Files.createDirectories(top);
        if (small) {
            Shell.run("mount", "-t", "tmpfs", "-o", "size=" + MEGABYTES + "m", "chaos-disk", top.toString());
        }
        Files.createDirectories(data());
        // Not on the small disk: the shim has to work when that is full.
        this.control = new DiskControl(controlFile());
    }

    public Path data() {
        return top.resolve("data");
    }

    public Path controlFile() {
        return top.resolveSibling(top.getFileName() + ".control");
    }

    /** Not on the small disk either. */
    public Path undoLog() {
        return top.resolveSibling(top.getFileName() + ".undo");
    }

    /** On the same disk as the data, for links to deleted files. */
    public Path kept() {
        return top.resolve("kept");
    }

    public DiskControl control() {
        return control;
    }

    public boolean isSmall() {
        return small;
    }

    /** Takes all the room that is left. */
    public void fill() throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        int size = PIECE_BYTES;
        try (OutputStream out = Files.newOutputStream(filler())) {
            while (size > 0) {
                try {
                    out.write(piece, 0, size);
                } catch (IOException full) {
                    size /= 2;
                }
            }
        }
    }

    public void free() throws IOException {
        Files.deleteIfExists(filler());
    }

    private Path filler() {
        return top.resolve("filler");
    }

    /** What a power cut does to it; its replica must have been killed. */
    public int cutPower(@Nullable SplittableRandom random) throws IOException {
        return new PowerCut(data(), undoLog(), kept()).play(random);
    }
}
