package io.holdfast.storage;

import io.holdfast.raft.SnapshotMeta;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of one cell as files {@code snapshots/<cell>/snap-<index>-<term>.snap} of a {@link Disk}.
 *
 * <p>An unfinished file ends in {@code .part}; it gets its name when it is durable. So a file under its name that is
 * empty, truncated or fails a checksum is damage, and {@link #newest()} refuses it rather than fall back to an older
 * state (C15).
 *
 * <p><b>Thread:</b> as {@link SnapshotStore} says; reads may run beside the one writer.
 */
public final class FileSnapshotStore implements SnapshotStore {
    /** Directory of all cells' snapshots in the data directory. */
    public static final String DIRECTORY = "snapshots";

    private static final String PREFIX = "snap-";
    private static final String COMPLETE = ".snap";
    private static final String UNFINISHED = ".part";
    private static final int DIGITS = 20;

    private final Disk disk;
    private final CellId cell;
    private final byte[] identityHash;
    private final String directory;
    /** Names whose whole content was checked, or written, by this store. */
    private final Set<String> verified = ConcurrentHashMap.newKeySet();

    /** A snapshot file's name, taken apart; ordered oldest first. */
    private record Name(long index, long term, String ending) implements Comparable<Name> {
        static Name of(SnapshotMeta meta, String ending) {
            return new Name(meta.index(), meta.term(), ending);
        }

        static @Nullable Name parse(String name) {
            int length = PREFIX.length() + 2 * DIGITS + 1;
            if (name.length() <= length || !name.startsWith(PREFIX)) {
                return null;
            }
            String ending = name.substring(length);
            if (!ending.equals(COMPLETE) && !ending.equals(UNFINISHED)) {
                return null;
            }
            try {
                int second = PREFIX.length() + DIGITS;
                return new Name(
                        Long.parseLong(name.substring(PREFIX.length(), second)),
                        Long.parseLong(name.substring(second + 1, length)),
                        ending);
            } catch (NumberFormatException notOurs) {
                return null;
            }
        }

        boolean isComplete() {
            return ending.equals(COMPLETE);
        }

        @Override
        public int compareTo(Name other) {
            int byIndex = Long.compare(index, other.index);
            return byIndex != 0 ? byIndex : Long.compare(term, other.term);
        }

        @Override
        public String toString() {
            return String.format("%s%020d-%020d%s", PREFIX, index, term, ending);
        }
    }

    /**
     * @param identity the replica's incarnation: snapshots of another one are refused
     */
    public FileSnapshotStore(Disk disk, CellId cell, String identity) {
        this.disk = disk;
        this.cell = cell;
        this.identityHash = LogFormat.hash(identity);
        this.directory = DIRECTORY + "/" + cell.value();
    }

    @Override
    public Optional<SnapshotMeta> newest() throws IOException {
        List<Name> complete = names(true);
        if (complete.isEmpty()) {
            return Optional.empty();
        }
        // Found under its name after a kill, its name may not be durable yet; from here on the log may build on it.
        disk.syncDirectory(directory);
        SnapshotMeta newest = null;
        for (Name name : complete) {
            try (SnapshotFileReader reader = open(name)) {
                if (!verified.contains(name.toString())) {
                    reader.verify();
                    verified.add(name.toString());
                }
                newest = reader.meta();
            }
            if (newest.index() != name.index() || newest.term() != name.term()) {
                throw new DamagedFileException(
                        disk.describe(path(name)), "the file holds the snapshot at index " + newest.index());
            }
        }
        return Optional.ofNullable(newest);
    }

    @Override
    public Writer begin(SnapshotMeta meta) throws IOException {
        Directories.create(disk, directory);
        return SnapshotFileWriter.begin(disk, aside(meta), header(meta), () -> publish(meta));
    }

    @Override
    public Writer resume(SnapshotMeta meta) throws IOException {
        if (!disk.exists(aside(meta))) {
            return begin(meta);
        }
        return SnapshotFileWriter.resume(disk, aside(meta), header(meta), () -> publish(meta));
    }

    private void publish(SnapshotMeta meta) throws IOException {
        Name name = Name.of(meta, COMPLETE);
        disk.rename(aside(meta), path(name));
        try {
            disk.syncDirectory(directory);
        } catch (IOException failure) {
            throw new FsyncFailedException(disk.describe(directory), failure);
        }
        verified.add(name.toString());
    }

    @Override
    public Optional<byte[]> read(SnapshotMeta meta, long offset, int maxBytes) throws IOException {
        try (SnapshotFileReader reader = openIfPresent(meta)) {
            return reader == null ? Optional.empty() : Optional.of(reader.read(offset, maxBytes));
        }
    }

    @Override
    public Optional<Long> sizeBytes(SnapshotMeta meta) throws IOException {
        try (SnapshotFileReader reader = openIfPresent(meta)) {
            return reader == null ? Optional.empty() : Optional.of(reader.contentBytes());
        }
    }

    /** An unfinished file that is newer than every snapshot is kept: its transfer may still go on. */
    @Override
    public void prune(int keep) throws IOException {
        if (keep < 1) {
            throw new IllegalArgumentException("keep at least one snapshot, not " + keep);
        }
        List<Name> complete = names(true);
        if (complete.isEmpty()) {
            return;
        }
        for (Name old : complete.subList(0, Math.max(0, complete.size() - keep))) {
            disk.delete(path(old));
            verified.remove(old.toString());
        }
        Name newest = complete.get(complete.size() - 1);
        for (Name unfinished : names(false)) {
            if (unfinished.compareTo(newest) <= 0) {
                disk.delete(path(unfinished));
            }
        }
    }

    private List<Name> names(boolean complete) throws IOException {
        List<Name> names = new ArrayList<>();
        for (String file : disk.list(directory)) {
            Name name = Name.parse(file);
            if (name != null && name.isComplete() == complete) {
                names.add(name);
            }
        }
        names.sort(null);
        return names;
    }

    private @Nullable SnapshotFileReader openIfPresent(SnapshotMeta meta) throws IOException {
        Name name = Name.of(meta, COMPLETE);
        if (!disk.exists(path(name))) {
            return null;
        }
        try {
            return open(name);
        } catch (DamagedFileException damaged) {
            throw damaged;
        } catch (IOException failed) {
            if (!disk.exists(path(name))) {
                return null;
            }
            throw failed;
        }
    }

    private SnapshotFileReader open(Name name) throws IOException {
        return new SnapshotFileReader(disk.open(path(name)), disk.describe(path(name)), cell, identityHash);
    }

    private byte[] header(SnapshotMeta meta) {
        return SnapshotFormat.header(cell, identityHash, meta);
    }

    private String aside(SnapshotMeta meta) {
        return path(Name.of(meta, UNFINISHED));
    }

    private String path(Name name) {
        return directory + "/" + name;
    }
}
