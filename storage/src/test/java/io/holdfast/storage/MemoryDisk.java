package io.holdfast.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk in memory that forgets what a real one may forget when the power goes: bytes that were not fsynced, sector by
 * sector, and names whose directory was not fsynced, newest first.
 *
 * <p>It can be told to lose power at its n-th operation, to be full, or to fail.
 *
 * <p><b>Thread:</b> any.
 */
public final class MemoryDisk implements Disk {
    private static final int SECTOR_BYTES = 512;

    private final TreeMap<String, Node> files = new TreeMap<>();
    private final TreeMap<String, Directory> directories = new TreeMap<>();
    private long operations;
    private long powerCutAt = Long.MAX_VALUE;
    private long roomBytes = Long.MAX_VALUE;
    private boolean failSyncs;
    private volatile Runnable beforeSync = () -> {};
    private int syncs;
    private int generation;

    /** Thrown by every operation from the moment at which the power goes. */
    public static final class PowerCut extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Content now, and content that is safe. */
    private static final class Node {
        byte[] content = new byte[0];
        byte[] durable = new byte[0];
    }

    /** Changes of names since the directory was fsynced; undone newest first. */
    private static final class Directory {
        final List<Runnable> undo = new ArrayList<>();
    }

    public MemoryDisk() {
        directories.put("", new Directory());
    }

    /** The power goes during the n-th operation from now, counted from 1. */
    public synchronized void cutPowerAtOperation(long fromNow) {
        powerCutAt = operations + fromNow;
    }

    /** Only this many more bytes can be written. */
    public synchronized void limitRoom(long bytes) {
        roomBytes = bytes;
    }

    /** From now on no fsync works. */
    public synchronized void failSyncs(boolean fail) {
        failSyncs = fail;
    }

    /** Runs in every file fsync, before it does anything; others may use the disk meanwhile. */
    public void beforeSync(Runnable action) {
        beforeSync = action;
    }

    /** File fsyncs so far, directories not counted. */
    public synchronized int syncs() {
        return syncs;
    }

    /** Operations that change something, so far. */
    public synchronized long operations() {
        return operations;
    }

    /** All bytes on the disk. */
    public synchronized long usedBytes() {
        return files.values().stream().mapToLong(node -> node.content.length).sum();
    }

    /** The power goes and comes back: open files are gone, and so may be anything that was not fsynced. */
    public synchronized void crash(Random random) {
        generation++;
        powerCutAt = Long.MAX_VALUE;
        for (Directory directory : List.copyOf(directories.values())) {
            int lost = random.nextInt(directory.undo.size() + 1);
            for (int i = 0; i < lost; i++) {
                directory.undo.remove(directory.undo.size() - 1).run();
            }
            directory.undo.clear();
        }
        files.keySet().removeIf(path -> !directories.containsKey(Directories.parent(path)));
        for (Node node : files.values()) {
            node.content = torn(node, random);
            node.durable = node.content;
        }
    }

    /** The process dies, the machine does not: open files are gone, nothing else. */
    public synchronized void kill() {
        generation++;
        powerCutAt = Long.MAX_VALUE;
    }

    /** The content of a file, as a tester with an editor sees it. */
    public synchronized byte[] content(String path) throws IOException {
        return node(path).content.clone();
    }

    /** Replaces the content of a file, durably. */
    public synchronized void overwrite(String path, byte[] content) throws IOException {
        node(path).content = content.clone();
        node(path).durable = node(path).content;
    }

    private static byte[] torn(Node node, Random random) {
        if (Arrays.equals(node.content, node.durable)) {
            return node.durable;
        }
        int shorter = Math.min(node.content.length, node.durable.length);
        int longer = Math.max(node.content.length, node.durable.length);
        int length = random.nextInt(3) == 0 ? shorter + random.nextInt(longer - shorter + 1) : longer;
        byte[] result = new byte[length];
        int keepPercent = random.nextInt(101);
        for (int from = 0; from < length; from += SECTOR_BYTES) {
            byte[] source = random.nextInt(100) < keepPercent ? node.content : node.durable;
            int to = Math.min(Math.min(from + SECTOR_BYTES, length), source.length);
            if (to > from) {
                System.arraycopy(source, from, result, from, to - from);
            }
        }
        return result;
    }

    private void operate() {
        operations++;
        if (operations >= powerCutAt) {
            throw new PowerCut();
        }
    }

    private Node node(String path) throws IOException {
        Node node = files.get(path);
        if (node == null) {
            throw new FileNotFoundException(path);
        }
        return node;
    }

    private Directory directory(String path) throws IOException {
        Directory directory = directories.get(path);
        if (directory == null) {
            throw new FileNotFoundException(path);
        }
        return directory;
    }

    @Override
    public synchronized DiskFile create(String path) throws IOException {
        operate();
        if (files.containsKey(path)) {
            throw new FileAlreadyExistsException(path);
        }
        Directory directory = directory(Directories.parent(path));
        if (roomBytes <= 0) {
            throw new IOException("No space left on device");
        }
        Node node = new Node();
        files.put(path, node);
        directory.undo.add(() -> files.remove(path));
        return new File(node);
    }

    @Override
    public synchronized DiskFile open(String path) throws IOException {
        return new File(node(path));
    }

    @Override
    public synchronized List<String> list(String directory) {
        String prefix = directory.isEmpty() ? "" : directory + "/";
        List<String> names = new ArrayList<>();
        for (String path : files.tailMap(prefix).keySet()) {
            if (path.startsWith(prefix) && path.indexOf('/', prefix.length()) < 0) {
                names.add(path.substring(prefix.length()));
            }
        }
        return names;
    }

    @Override
    public synchronized boolean exists(String path) {
        return files.containsKey(path) || directories.containsKey(path);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        operate();
        Node node = node(from);
        Directory directory = directory(Directories.parent(from));
        if (!Directories.parent(from).equals(Directories.parent(to))) {
            throw new IllegalArgumentException("from " + from + " to another directory: " + to);
        }
        files.remove(from);
        Node replaced = files.put(to, node);
        directory.undo.add(() -> {
            files.put(from, node);
            files.remove(to);
            if (replaced != null) {
                files.put(to, replaced);
            }
        });
    }

    @Override
    public synchronized void delete(String path) throws IOException {
        operate();
        Node node = files.remove(path);
        if (node != null) {
            directory(Directories.parent(path)).undo.add(() -> files.put(path, node));
        }
    }

    @Override
    public synchronized void createDirectories(String path) throws IOException {
        if (directories.containsKey(path)) {
            return;
        }
        String parent = Directories.parent(path);
        createDirectories(parent);
        operate();
        directories.put(path, new Directory());
        directory(parent).undo.add(() -> removeDirectory(path));
    }

    private void removeDirectory(String path) {
        directories.keySet().removeIf(child -> child.equals(path) || child.startsWith(path + "/"));
    }

    @Override
    public synchronized void syncDirectory(String path) throws IOException {
        operate();
        if (failSyncs) {
            throw new IOException("Input/output error");
        }
        directory(path).undo.clear();
    }

    @Override
    public synchronized String describe(String path) {
        return "/memory/" + path;
    }

    /** For tests that look at every file: all paths, sorted. */
    public synchronized List<String> paths() {
        return List.copyOf(files.keySet());
    }

    /** A copy on which damage can be tried. */
    public synchronized MemoryDisk copy() {
        MemoryDisk copy = new MemoryDisk();
        for (String path : directories.keySet()) {
            copy.directories.put(path, new Directory());
        }
        for (Map.Entry<String, Node> file : files.entrySet()) {
            Node node = new Node();
            node.content = file.getValue().content.clone();
            node.durable = node.content;
            copy.files.put(file.getKey(), node);
        }
        return copy;
    }

    private final class File implements DiskFile {
        private final Node node;
        private final int openedIn = generation;
        private boolean closed;

        File(Node node) {
            this.node = node;
        }

        private void use() throws IOException {
            if (closed || openedIn != generation) {
                throw new IOException("the file is closed");
            }
        }

        @Override
        public void append(ByteBuffer bytes) throws IOException {
            synchronized (MemoryDisk.this) {
                use();
                int wanted = bytes.remaining();
                operations++;
                boolean powerCut = operations >= powerCutAt;
                int written = (int) Math.min(powerCut ? wanted / 2 : wanted, roomBytes);
                byte[] longer = Arrays.copyOf(node.content, node.content.length + written);
                bytes.get(longer, node.content.length, written);
                node.content = longer;
                if (roomBytes != Long.MAX_VALUE) {
                    roomBytes -= written;
                }
                if (powerCut) {
                    throw new PowerCut();
                }
                if (written < wanted) {
                    throw new IOException("No space left on device");
                }
            }
        }

        @Override
        public int read(long positionBytes, ByteBuffer into) throws IOException {
            synchronized (MemoryDisk.this) {
                use();
                int length = (int) Math.max(0, Math.min(into.remaining(), node.content.length - positionBytes));
                into.put(node.content, (int) Math.min(positionBytes, node.content.length), length);
                return length;
            }
        }

        @Override
        public long sizeBytes() throws IOException {
            synchronized (MemoryDisk.this) {
                use();
                return node.content.length;
            }
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            synchronized (MemoryDisk.this) {
                use();
                operate();
                node.content = Arrays.copyOf(node.content, (int) Math.min(sizeBytes, node.content.length));
            }
        }

        @Override
        public void sync() throws IOException {
            beforeSync.run();
            synchronized (MemoryDisk.this) {
                use();
                operate();
                if (failSyncs) {
                    throw new IOException("Input/output error");
                }
                syncs++;
                node.durable = node.content;
            }
        }

        @Override
        public void close() {
            synchronized (MemoryDisk.this) {
                closed = true;
            }
        }
    }
}
