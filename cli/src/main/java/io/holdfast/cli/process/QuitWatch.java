package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Notices QUIT, which the JVM answers with a thread dump and does not let a program handle: the launcher sends the VM's
 * own output to a file that only this process knows, and a dump in it is a signal.
 *
 * <p><b>Thread:</b> one.
 */
public final class QuitWatch {
    private static final String PROPERTY = "holdfast.vmLog";
    private static final byte[] DUMP = "Full thread dump".getBytes(StandardCharsets.UTF_8);
    private static final int MAX_READ_BYTES = 1 << 20;

    private static final QuitWatch PROCESS = open(System.getProperty(PROPERTY, ""));

    private final @Nullable FileChannel log;
    private long readBytes;

    private QuitWatch(@Nullable FileChannel log) {
        this.log = log;
    }

    /**
     * This process' own. The first call opens the file that the launcher named, if it did, and removes its name so that
     * nothing is left behind; so make it early.
     */
    public static QuitWatch ofProcess() {
        return PROCESS;
    }

    private static QuitWatch open(String name) {
        return name.isEmpty() ? new QuitWatch(null) : open(Path.of(name));
    }

    static QuitWatch open(Path file) {
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
            Files.deleteIfExists(file);
            Path directory = file.getParent();
            if (directory != null) {
                Files.deleteIfExists(directory);
            }
            return new QuitWatch(channel);
        } catch (IOException notThere) {
            return new QuitWatch(null);
        }
    }

    /** Whether a QUIT arrived since the last call. Does not block. */
    public boolean arrived() {
        if (log == null) {
            return false;
        }
        try {
            long size = log.size();
            if (size <= readBytes) {
                return false;
            }
            int length = (int) Math.min(size - readBytes, MAX_READ_BYTES);
            ByteBuffer bytes = ByteBuffer.allocate(length);
            int read = log.read(bytes, readBytes);
            readBytes += Math.max(read, 0);
            return read > 0 && contains(bytes.array(), read);
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean contains(byte[] bytes, int length) {
        for (int start = 0; start + DUMP.length <= length; start++) {
            int same = 0;
            while (same < DUMP.length && bytes[start + same] == DUMP[same]) {
                same++;
            }
            if (same == DUMP.length) {
                return true;
            }
        }
        return false;
    }
}
