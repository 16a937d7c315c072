package io.holdfast.storage;

import java.io.IOException;
import java.util.List;

/**
 * The file operations that storage needs, below one data directory. One real and one simulated implementation; both pass
 * the same contract test.
 *
 * <p>Paths are relative, with {@code /} between segments; the data directory itself is the empty string. What was written is durable only after {@link DiskFile#sync()};
 * a created, renamed or deleted name is durable only after {@link #syncDirectory(String)} of its directory.
 *
 * <p><b>Thread:</b> any; callers do not use one file from two threads at once.
 */
public interface Disk {
    /** Creates an empty file for appending; fails if it exists. */
    DiskFile create(String path) throws IOException;

    /** Opens an existing file for reading and appending at its end. */
    DiskFile open(String path) throws IOException;

    /** Names (not paths) of the files in a directory, sorted; empty if the directory does not exist. */
    List<String> list(String directory) throws IOException;

    boolean exists(String path) throws IOException;

    /** Replaces {@code to} atomically if it exists. */
    void rename(String from, String to) throws IOException;

    /** Removes a file; no error if it is gone already. */
    void delete(String path) throws IOException;

    void createDirectories(String directory) throws IOException;

    void syncDirectory(String directory) throws IOException;

    /** The full name of a path as an operator would look for it, for messages. */
    String describe(String path);
}
