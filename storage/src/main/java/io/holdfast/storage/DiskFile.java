package io.holdfast.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a {@link Disk}. */
public interface DiskFile extends Closeable {
    /** Writes all remaining bytes at the end of the file. */
    void append(ByteBuffer bytes) throws IOException;

    /**
     * Reads at a position until the buffer is full or the file ends.
     *
     * @return the number of bytes read, 0 at or after the end
     */
    int read(long positionBytes, ByteBuffer into) throws IOException;

    long sizeBytes() throws IOException;

    /** Cuts the file to a smaller size. */
    void truncate(long sizeBytes) throws IOException;

    /**
     * Makes everything written so far durable (fsync). A failure leaves the file's state unknown: the caller must end the
     * process and never try again (R8.3).
     */
    void sync() throws IOException;

    @Override
    void close() throws IOException;
}
