package io.holdfast.storage;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;

/** A file could not grow because its file system is full. */
final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1;

    /** A full file system may still have a little that a write cannot use. */
    private static final long SLACK_BYTES = 1 << 20;

    /** Asks the file system. */
    interface Room {
        long usableBytes() throws IOException;
    }

    private NoRoomException(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /**
     * What a failed write is to be reported as. Java has no error code for a full disk, and the system's words for it are in
     * the language of the user, so the file system is asked.
     *
     * @param neededBytes what could not be written
     */
    static IOException orItself(IOException failure, long neededBytes, Room room) {
        boolean other = failure instanceof ClosedChannelException
                || failure instanceof FileSystemException && failure.getClass() != FileSystemException.class;
        try {
            return other || room.usableBytes() >= neededBytes + SLACK_BYTES ? failure : new NoRoomException(failure);
        } catch (IOException cannotTell) {
            return failure;
        }
    }
}
