package io.holdfast.simulation.disk;

import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The content of one file: what the process sees, and what a power cut may leave of it.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>The first {@code syncedSize} bytes survive a crash, unless the file was cut below that since the last sync: then
 *       either the old or the new content does.
 *   <li>Of what was appended since, a crash leaves any prefix; sectors of it may be zero instead of written.
 * </ol>
 */
final class Inode {
    static final int SECTOR_BYTES = 512;

    private byte[] bytes = new byte[1024];
    private int size;
    private int syncedSize;
    private byte @Nullable [] beforeCut;

    int size() {
        return size;
    }

    void append(ByteBuffer from) {
        int length = from.remaining();
        if (size + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + length));
        }
        from.get(bytes, size, length);
        size += length;
    }

    int read(long position, ByteBuffer into) {
        if (position >= size) {
            return 0;
        }
        int length = (int) Math.min(into.remaining(), size - position);
        into.put(bytes, (int) position, length);
        return length;
    }

    void truncate(int newSize) {
        if (newSize < syncedSize) {
            if (beforeCut == null) {
                beforeCut = Arrays.copyOf(bytes, syncedSize);
            }
            syncedSize = newSize;
        }
        // stale bytes must not shine through when the file grows again
        Arrays.fill(bytes, newSize, size, (byte) 0);
        size = newSize;
    }

    void sync() {
        syncedSize = size;
        beforeCut = null;
    }

    boolean isSynced() {
        return syncedSize == size && beforeCut == null;
    }

    void crash(Rng rng, Coverage coverage) {
        if (beforeCut != null && rng.chance(0.5)) {
            bytes = beforeCut;
            size = bytes.length;
        } else if (size > syncedSize) {
            loseTail(rng, coverage);
        }
        beforeCut = null;
        syncedSize = size;
    }

    private void loseTail(Rng rng, Coverage coverage) {
        int unsynced = size - syncedSize;
        int kept = switch (rng.below(4)) {
            case 0 -> 0;
            case 1 -> unsynced;
            default -> rng.below(unsynced + 1);
        };
        int newSize = syncedSize + kept;
        if (kept < unsynced) {
            coverage.seen(Seen.CRASH_LOST_BYTES);
            if (kept > 0) {
                coverage.seen(Seen.CRASH_TORN_WRITE);
            }
        }
        Arrays.fill(bytes, newSize, size, (byte) 0);
        size = newSize;
        if (kept > 0 && rng.chance(0.3)) {
            zeroSectors(rng, coverage);
        }
    }

    /** The file's size reached the disk, the data of some sectors did not. */
    private void zeroSectors(Rng rng, Coverage coverage) {
        for (int sector = syncedSize / SECTOR_BYTES; sector * SECTOR_BYTES < size; sector++) {
            if (rng.chance(0.4)) {
                int from = Math.max(syncedSize, sector * SECTOR_BYTES);
                Arrays.fill(bytes, from, Math.min(size, (sector + 1) * SECTOR_BYTES), (byte) 0);
                coverage.seen(Seen.CRASH_ZEROED_SECTOR);
            }
        }
    }
}
