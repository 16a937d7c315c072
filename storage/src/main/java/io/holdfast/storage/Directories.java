package io.holdfast.storage;

import java.io.IOException;

/** Makes directories that are still there after a power cut. */
final class Directories {
    private Directories() {}

    /** Creates a directory and those above it, and makes each name durable in the one above. */
    static void create(Disk disk, String directory) throws IOException {
        disk.createDirectories(directory);
        String child = directory;
        while (!child.isEmpty()) {
            String parent = parent(child);
            disk.syncDirectory(parent);
            child = parent;
        }
    }

    /** The directory of a path; the data directory itself is the empty string. */
    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }
}
