package io.holdfast.chaos.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads what the disk shim wrote: the changes of a directory that were not durable when its process ended. */
final class UndoLog {
    private static final int HEADER_BYTES = 40;

    private UndoLog() {}

    /**
     * One change.
     *
     * @param position in the log
     * @param type W write, T truncate, C create, R rename, U unlink
     * @param inode of the file
     * @param target inode that has to be synced to make it durable
     * @param offset W: where it wrote, T: the size it cut to
     * @param sizeBefore W, T: of the file
     * @param before W, T: the bytes that were there; else the path
     * @param other R: the old path, U: a link to the deleted file
     */
    record Change(
            long position,
            char type,
            long inode,
            long target,
            long offset,
            long sizeBefore,
            byte[] before,
            String other) {
        Path path() {
            return Path.of(new String(before, StandardCharsets.UTF_8));
        }

        boolean isAppend() {
            return type == 'W' && offset == sizeBefore;
        }
    }

    /** The changes that no sync covers, in order. */
    static List<Change> notDurable(Path log) throws IOException {
        List<Change> changes = new ArrayList<>();
        if (!Files.exists(log)) {
            return changes;
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(log)).order(ByteOrder.nativeOrder());
        while (bytes.remaining() >= HEADER_BYTES) {
            int start = bytes.position();
            char type = (char) bytes.get();
            bytes.position(start + 4);
            int length1 = bytes.getInt();
            int length2 = bytes.getInt();
            bytes.position(start + 16);
            long inode = bytes.getLong();
            long a = bytes.getLong();
            long b = bytes.getLong();
            if (bytes.remaining() < length1 + length2) {
                break; // cut off by the kill, so not carried out
            }
            byte[] first = new byte[length1];
            bytes.get(first);
            byte[] second = new byte[length2];
            bytes.get(second);
            if (type == 'S') {
                changes.removeIf(change -> change.target == inode && change.position < a);
            } else {
                boolean data = type == 'W' || type == 'T';
                String other = new String(second, StandardCharsets.UTF_8);
                changes.add(new Change(start, type, inode, data ? inode : a, data ? a : 0, b, first, other));
            }
        }
        return changes;
    }
}
