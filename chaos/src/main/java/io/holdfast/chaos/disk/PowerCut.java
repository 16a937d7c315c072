package io.holdfast.chaos.disk;

import io.holdfast.chaos.disk.UndoLog.Change;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes back what a killed replica had written but not fsynced, as a power cut may (C08).
 *
 * <p>Either all of it, or from each file and directory the changes after a random one; then the first lost append may leave
 * a torn piece. Both are what a real disk is allowed to do.
 *
 * <p><b>Thread:</b> one, while no process has the directory open.
 */
public final class PowerCut {
    private static final int MAX_TORN_BYTES = 64;

    private final Path dataDir;
    private final Path undoLog;
    private final Path links;
    private final Map<Long, Path> byInode = new HashMap<>();
    private int undone;

    /**
     * @param undoLog as given to the shim
     * @param links as given to the shim for files that it keeps
     */
    public PowerCut(Path dataDir, Path undoLog, Path links) {
        this.dataDir = dataDir;
        this.undoLog = undoLog;
        this.links = links;
    }

    /**
     * Plays it.
     *
     * @param random what is lost; null to lose everything that may be lost
     * @return number of changes taken back
     */
    public int play(@Nullable SplittableRandom random) throws IOException {
        List<Change> changes = UndoLog.notDurable(undoLog);
        findFiles();
        for (Change change : lost(changes, random == null ? Map.of() : kept(changes, random))) {
            undo(change, random == null ? 0 : tornBytes(change, random));
            undone++;
        }
        clear();
        return undone;
    }

    private static int tornBytes(Change change, SplittableRandom random) {
        return change.isAppend() && random.nextInt(3) == 0 ? 1 + random.nextInt(MAX_TORN_BYTES) : 0;
    }

    /** For each file and directory how many of its first changes stay. */
    private static Map<Long, Integer> kept(List<Change> changes, SplittableRandom random) {
        Map<Long, Integer> counts = new TreeMap<>();
        changes.forEach(change -> counts.merge(change.target(), 1, Integer::sum));
        counts.replaceAll((target, count) -> random.nextInt(count + 1));
        return counts;
    }

    /** Those that are lost, newest first. */
    private static List<Change> lost(List<Change> changes, Map<Long, Integer> kept) {
        List<Change> lost = new ArrayList<>();
        Map<Long, Integer> seen = new HashMap<>();
        for (Change change : changes) {
            if (seen.merge(change.target(), 1, Integer::sum) > kept.getOrDefault(change.target(), 0)) {
                lost.add(0, change);
            }
        }
        return lost;
    }

    private void findFiles() throws IOException {
        try (Stream<Path> files = Files.walk(dataDir)) {
            for (Path file : files.toList()) {
                byInode.put(inode(file), file);
            }
        }
    }

    private static long inode(Path file) throws IOException {
        return (Long) Files.getAttribute(file, "unix:ino");
    }

    /** @param tornBytes so many of what was appended stay; the next older append that is undone takes them away again */
    private void undo(Change change, int tornBytes) throws IOException {
        switch (change.type()) {
            case 'W', 'T' -> restoreData(change, tornBytes);
            case 'C' -> {
                if (isAt(change.path(), change.inode())) {
                    deleteTree(change.path());
                    byInode.remove(change.inode());
                }
            }
            case 'R' -> {
                if (isAt(change.path(), change.inode())) {
                    move(change.path(), Path.of(change.other()), change.inode());
                }
            }
            case 'U' -> {
                Path link = Path.of(change.other());
                if (Files.exists(link) && !Files.exists(change.path())) {
                    move(link, change.path(), change.inode());
                }
            }
            default -> throw new IOException("undo log " + undoLog + " has a change of type " + change.type());
        }
    }

    private void move(Path from, Path to, long inode) throws IOException {
        Files.createDirectories(to.getParent());
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        byInode.put(inode, to);
    }

    private static boolean isAt(Path path, long inode) throws IOException {
        return Files.exists(path) && inode(path) == inode;
    }

    private void restoreData(Change change, int tornBytes) throws IOException {
        Path file = byInode.get(change.inode());
        if (file == null) {
            return; // its deletion is durable, or it was never there for good
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer before = ByteBuffer.wrap(change.before());
            while (before.hasRemaining()) {
                channel.write(before, change.offset() + before.position());
            }
            if (channel.size() < change.sizeBefore()) {
                throw new IOException(file + " is shorter than before " + change.type() + " at " + change.offset());
            }
            channel.truncate(change.sizeBefore() + tornBytes);
        }
    }

    private void clear() throws IOException {
        Files.deleteIfExists(undoLog);
        if (Files.exists(links)) {
            deleteTree(links);
        }
    }

    private static void deleteTree(Path top) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(top)) {
            files = new ArrayList<>(walk.toList());
        }
        files.sort((a, b) -> b.getNameCount() - a.getNameCount());
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
