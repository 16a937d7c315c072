package io.holdfast.fencing.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A small file that is replaced as a whole: written aside, fsynced, renamed, directory fsynced. A reader, and whoever comes
 * after a power cut, finds the old content or the new one, never a part.
 *
 * <p><b>Thread:</b> any may read; one at a time may replace, in all processes.
 */
final class DurableFile {
    private final Path file;
    private final Path directory;
    private final Path aside;

    /**
     * The file; it need not exist.
     *
     * @param file absolute, with its links resolved
     */
    DurableFile(Path file) {
        Path parent = file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + " is no file in a directory");
        }
        this.file = file;
        this.directory = parent;
        this.aside = parent.resolve(file.getFileName() + ".new");
    }

    /** The content, or null if the file does not exist. */
    byte @Nullable [] read() throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Replaces the content; durable when this returns. After a failure the old or the new content is there. */
    void replace(byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(
                aside, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
