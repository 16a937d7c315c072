package io.holdfast.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second process, or a second replica of this process, out of a data directory: a lock on its file {@code LOCK}.
 * The system drops it when the process ends, however it ends.
 *
 * <p><b>Thread:</b> any.
 */
public final class DirectoryLock implements Closeable {
    /** Of the file that is locked. */
    static final String NAME = "LOCK";

    /**
     * Directories this process has locked. They must be known before the file is opened: closing a second channel on the
     * same file would make the system drop the first one's lock.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Locks a directory, which is made if it does not exist, or fails at once.
     *
     * @throws ForeignDataException if it is in use
     */
    public static DirectoryLock acquire(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path real = directory.toRealPath();
        if (!HELD.add(real)) {
            throw new ForeignDataException("the data directory " + real + " is in use by this process already");
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(real.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new ForeignDataException("the data directory " + real + " is in use by another process");
            }
            return new DirectoryLock(real, channel);
        } catch (IOException | RuntimeException failed) {
            if (channel != null) {
                channel.close();
            }
            HELD.remove(real);
            throw failed;
        }
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
            HELD.remove(directory);
        }
    }
}
