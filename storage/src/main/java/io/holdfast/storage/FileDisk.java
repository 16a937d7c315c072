package io.holdfast.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The {@link Disk} of a running process: a directory of the file system.
 *
 * <p>Do not interrupt a thread that works with it: Java closes the file under it.
 */
public final class FileDisk implements Disk {
    private final Path root;

    /**
     * @param root the data directory; made, with those above it, if it does not exist
     */
    public FileDisk(Path root) throws IOException {
        this.root = root.toAbsolutePath().normalize();
        createDurably(this.root);
    }

    @Override
    public DiskFile create(String path) throws IOException {
        Path file = resolve(path);
        try {
            return new ChannelFile(
                    FileChannel.open(
                            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    file);
        } catch (IOException failure) {
            throw NoRoomException.orItself(failure, 0, () -> usableBytes(root));
        }
    }

    private static long usableBytes(Path path) throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }

    @Override
    public DiskFile open(String path) throws IOException {
        Path file = resolve(path);
        return new ChannelFile(FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE), file);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        Path path = resolve(directory);
        List<String> names = new ArrayList<>();
        if (Files.isDirectory(path)) {
            try (Stream<Path> children = Files.list(path)) {
                children.filter(Files::isRegularFile)
                        .forEach(child -> names.add(child.getFileName().toString()));
            }
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public boolean exists(String path) {
        return Files.exists(resolve(path));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(resolve(from), resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(String path) throws IOException {
        Files.deleteIfExists(resolve(path));
    }

    @Override
    public void createDirectories(String directory) throws IOException {
        Files.createDirectories(resolve(directory));
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        sync(resolve(directory));
    }

    @Override
    public String describe(String path) {
        return resolve(path).toString();
    }

    private Path resolve(String path) {
        Path resolved = root.resolve(path).normalize();
        if (!resolved.startsWith(root)) {
            throw new IllegalArgumentException("'" + path + "' leaves the data directory " + root);
        }
        return resolved;
    }

    private static void createDurably(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (parent != null) {
            createDurably(parent);
        }
        Files.createDirectories(directory);
        if (parent != null) {
            sync(parent);
        }
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static final class ChannelFile implements DiskFile {
        /** Java copies what it writes into a direct buffer of the same size and keeps that for the thread. */
        private static final int MAX_WRITE_BYTES = 1 << 20;

        private final FileChannel channel;
        private final Path path;
        private long sizeBytes;

        ChannelFile(FileChannel channel, Path path) throws IOException {
            this.channel = channel;
            this.path = path;
            this.sizeBytes = channel.size();
        }

        @Override
        public void append(ByteBuffer bytes) throws IOException {
            int end = bytes.limit();
            try {
                while (bytes.position() < end) {
                    bytes.limit(Math.min(end, bytes.position() + MAX_WRITE_BYTES));
                    sizeBytes += channel.write(bytes, sizeBytes);
                }
            } catch (IOException failure) {
                throw NoRoomException.orItself(failure, end - bytes.position(), () -> usableBytes(path));
            } finally {
                bytes.limit(end);
            }
        }

        @Override
        public int read(long positionBytes, ByteBuffer into) throws IOException {
            int total = 0;
            while (into.hasRemaining()) {
                int read = channel.read(into, positionBytes + total);
                if (read < 0) {
                    break;
                }
                total += read;
            }
            return total;
        }

        @Override
        public long sizeBytes() {
            return sizeBytes;
        }

        @Override
        public void truncate(long newSizeBytes) throws IOException {
            channel.truncate(newSizeBytes);
            sizeBytes = newSizeBytes;
        }

        @Override
        public void sync() throws IOException {
            // fdatasync on Linux, which makes the size durable too when it is needed to read the data back.
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
