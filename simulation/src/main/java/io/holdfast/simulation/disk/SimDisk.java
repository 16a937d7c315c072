package io.holdfast.simulation.disk;

import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.storage.Disk;
import io.holdfast.storage.DiskFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One process's disk. Outlives the process; {@link #crash()} is what a power cut leaves.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>A file's synced bytes survive (see {@link Inode}).
 *   <li>Names survive as of the last {@link #syncDirectory}; of the changes since, a crash keeps a prefix, in order, in
 *       each directory. A rename within a directory is one change.
 *   <li>Only the files opened since the last crash can be written: a dead process touches nothing.
 * </ol>
 */
public final class SimDisk implements Disk {
    private final String name;
    private final Rng rng;
    private final Coverage coverage;
    private final TreeSet<String> directories = new TreeSet<>();
    private final TreeMap<String, Inode> files = new TreeMap<>();
    private final TreeMap<String, Inode> durableFiles = new TreeMap<>();
    private final Map<String, List<NameChange>> unsyncedChanges = new TreeMap<>();
    private long capacityBytes = Long.MAX_VALUE;
    private long life;
    /** Operations that still take effect before the power goes; negative if it stays on. */
    private long operationsLeft = -1;

    /** @param to new name, or null for a removal; {@code from} is null for a creation */
    private record NameChange(
            @Nullable String from, @Nullable String to, Inode inode) {}

    public SimDisk(String name, Rng rng, Coverage coverage) {
        this.name = name;
        this.rng = rng;
        this.coverage = coverage;
    }

    /** Appends fail as on a full disk once this much is stored. */
    public void limitTo(long bytes) {
        capacityBytes = bytes;
    }

    /** Whether appends may find no room. */
    public boolean isLimited() {
        return capacityBytes != Long.MAX_VALUE;
    }

    /**
     * The power goes after some more operations: the next one fails with {@link PowerCut} and has no effect. Ended by {@link
     * #crash()}.
     */
    public void cutPowerAfter(long operations) {
        operationsLeft = operations;
    }

    private void requirePower() {
        if (operationsLeft == 0) {
            throw new PowerCut();
        }
        if (operationsLeft > 0) {
            operationsLeft--;
        }
    }

    /** Unwinds the code that was at work when the power went; never caught by the service. */
    public static final class PowerCut extends Error {
        private static final long serialVersionUID = 1;

        PowerCut() {
            super("power cut", null, false, false);
        }
    }

    public long usedBytes() {
        long used = 0;
        for (Inode inode : files.values()) {
            used += inode.size();
        }
        return used;
    }

    /** The process or the machine died: what was not synced may be gone. */
    public void crash() {
        life++;
        operationsLeft = -1;
        for (Map.Entry<String, List<NameChange>> changes : unsyncedChanges.entrySet()) {
            List<NameChange> list = changes.getValue();
            int kept = rng.below(list.size() + 1);
            if (kept < list.size()) {
                coverage.seen(Seen.CRASH_LOST_NAME);
            }
            for (NameChange change : list.subList(0, kept)) {
                applyTo(durableFiles, change);
            }
        }
        unsyncedChanges.clear();
        files.clear();
        files.putAll(durableFiles);
        for (Inode inode : files.values()) {
            inode.crash(rng, coverage);
        }
    }

    /** A new, empty disk in place of the old one. */
    public void wipe() {
        life++;
        files.clear();
        durableFiles.clear();
        unsyncedChanges.clear();
        directories.clear();
    }

    @Override
    public DiskFile create(String path) throws IOException {
        requirePower();
        if (files.containsKey(path)) {
            throw new IOException(describe(path) + ": File exists");
        }
        requireDirectoryOf(path);
        Inode inode = new Inode();
        change(path, new NameChange(null, path, inode));
        return new OpenFile(path, inode, life);
    }

    @Override
    public DiskFile open(String path) throws IOException {
        Inode inode = files.get(path);
        if (inode == null) {
            throw new FileNotFoundException(describe(path));
        }
        return new OpenFile(path, inode, life);
    }

    @Override
    public List<String> list(String directory) {
        String prefix = directory.isEmpty() || directory.equals(".") ? "" : directory + "/";
        List<String> names = new ArrayList<>();
        for (String path : files.keySet()) {
            if (path.startsWith(prefix) && path.indexOf('/', prefix.length()) < 0) {
                names.add(path.substring(prefix.length()));
            }
        }
        return names;
    }

    @Override
    public boolean exists(String path) {
        return files.containsKey(path) || directories.contains(path);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        requirePower();
        Inode inode = files.get(from);
        if (inode == null) {
            throw new FileNotFoundException(describe(from));
        }
        requireDirectoryOf(to);
        change(to, new NameChange(from, to, inode));
    }

    @Override
    public void delete(String path) {
        requirePower();
        Inode inode = files.get(path);
        if (inode != null) {
            change(path, new NameChange(path, null, inode));
        }
    }

    @Override
    public void createDirectories(String directory) {
        String path = directory;
        while (!path.isEmpty()) {
            directories.add(path);
            path = directoryOf(path);
        }
    }

    @Override
    public void syncDirectory(String directory) {
        requirePower();
        String key = directory.equals(".") ? "" : directory;
        List<NameChange> changes = unsyncedChanges.remove(key);
        if (changes != null) {
            changes.forEach(change -> applyTo(durableFiles, change));
        }
    }

    @Override
    public String describe(String path) {
        return name + ":" + path;
    }

    private void change(String path, NameChange change) {
        applyTo(files, change);
        unsyncedChanges
                .computeIfAbsent(directoryOf(path), key -> new ArrayList<>())
                .add(change);
    }

    private static void applyTo(Map<String, Inode> names, NameChange change) {
        if (change.from() != null) {
            names.remove(change.from());
        }
        if (change.to() != null) {
            names.put(change.to(), change.inode());
        }
    }

    private void requireDirectoryOf(String path) throws IOException {
        String directory = directoryOf(path);
        if (!directory.isEmpty() && !directories.contains(directory)) {
            throw new FileNotFoundException(describe(directory));
        }
    }

    private static String directoryOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    /** A file handle of one life of the process. */
    private final class OpenFile implements DiskFile {
        private final String path;
        private final Inode inode;
        private final long openedInLife;
        private boolean closed;

        OpenFile(String path, Inode inode, long openedInLife) {
            this.path = path;
            this.inode = inode;
            this.openedInLife = openedInLife;
        }

        @Override
        public void append(java.nio.ByteBuffer bytes) throws IOException {
            requireUsable();
            requirePower();
            if (capacityBytes != Long.MAX_VALUE) {
                long room = capacityBytes - usedBytes();
                if (room < bytes.remaining()) {
                    // a full disk takes what fits and then fails
                    java.nio.ByteBuffer part = bytes.duplicate();
                    part.limit(part.position() + (int) Math.max(0, room));
                    inode.append(part);
                    throw new IOException(describe(path) + ": No space left on device");
                }
            }
            inode.append(bytes);
        }

        @Override
        public int read(long positionBytes, java.nio.ByteBuffer into) throws IOException {
            requireUsable();
            return inode.read(positionBytes, into);
        }

        @Override
        public long sizeBytes() throws IOException {
            requireUsable();
            return inode.size();
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            requireUsable();
            requirePower();
            if (sizeBytes < inode.size()) {
                inode.truncate((int) sizeBytes);
            }
        }

        @Override
        public void sync() throws IOException {
            requireUsable();
            requirePower();
            inode.sync();
        }

        @Override
        public void close() {
            closed = true;
        }

        private void requireUsable() throws IOException {
            if (closed || openedInLife != life) {
                throw new IOException(describe(path) + ": Stream Closed");
            }
        }
    }
}
