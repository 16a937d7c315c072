package io.holdfast.chaos.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The numbers that a replica's disk shim reads and counts; it survives the replica's process. */
public final class DiskControl {
    private static final int BYTES = 64;
    private static final int DELAY_MICROS_AT = 0;
    private static final int SYNCS_AT = 8;
    private static final int DELAYED_AT = 16;
    private static final long MICROS_PER_MILLI = 1_000;

    private final MappedByteBuffer words;

    public DiskControl(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(BYTES), 0);
            words = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
            words.order(ByteOrder.nativeOrder());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Each sync that begins from now on takes so much longer; 0 ends it. */
    public void delaySyncs(long millis) {
        words.putLong(DELAY_MICROS_AT, millis * MICROS_PER_MILLI);
    }

    /** Syncs of the replica so far. */
    public long syncs() {
        return words.getLong(SYNCS_AT);
    }

    /** Those of them that were delayed. */
    public long delayedSyncs() {
        return words.getLong(DELAYED_AT);
    }
}
