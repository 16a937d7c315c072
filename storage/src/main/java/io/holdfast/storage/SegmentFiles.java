package io.holdfast.storage;

import io.holdfast.storage.LogFormat.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Names, makes and opens the segment files of one log directory. */
final class SegmentFiles {
    private final Disk disk;
    private final String directory;
    private final byte[] identityHash;

    SegmentFiles(Disk disk, String directory, String identity) {
        this.disk = disk;
        this.directory = directory;
        this.identityHash = LogFormat.hash(identity);
    }

    String describe(long sequence) {
        return disk.describe(path(LogFormat.segmentName(sequence)));
    }

    byte[] salt(long sequence) {
        return LogFormat.salt(identityHash, sequence);
    }

    void createDirectory() throws IOException {
        Directories.create(disk, directory);
    }

    /** Sequences of the segments present, rising. */
    List<Long> list() throws IOException {
        List<Long> sequences = new ArrayList<>();
        for (String name : disk.list(directory)) {
            long sequence = LogFormat.sequenceOf(name);
            if (sequence >= 0) {
                sequences.add(sequence);
            }
        }
        sequences.sort(null);
        return sequences;
    }

    /** Removes segments whose making a crash interrupted; they never held a record. */
    List<RecoveryReport.Cut> removeUnfinished() throws IOException {
        List<RecoveryReport.Cut> removed = new ArrayList<>();
        for (String name : disk.list(directory)) {
            if (name.endsWith(LogFormat.UNFINISHED_SUFFIX)) {
                long sizeBytes;
                try (DiskFile file = disk.open(path(name))) {
                    sizeBytes = file.sizeBytes();
                }
                disk.delete(path(name));
                removed.add(new RecoveryReport.Cut(
                        disk.describe(path(name)), 0, sizeBytes, "a segment without records, unfinished"));
            }
        }
        return removed;
    }

    /**
     * Makes a segment that is durable under its name, with a durable header and no records. It is written aside first, so
     * that no crash leaves a segment with a damaged header: such a one is always damage.
     *
     * @throws DiskFullException if there was no room; nothing is left behind
     */
    DiskFile create(SegmentHeader header) throws IOException {
        String name = path(LogFormat.segmentName(header.sequence()));
        String aside = path(LogFormat.segmentName(header.sequence()).replace(".log", LogFormat.UNFINISHED_SUFFIX));
        disk.delete(aside);
        try (DiskFile file = createWithHeader(aside, header)) {
            file.sync();
        }
        disk.rename(aside, name);
        syncDirectory();
        return disk.open(name);
    }

    private DiskFile createWithHeader(String aside, SegmentHeader header) throws IOException {
        DiskFile file = null;
        try {
            file = disk.create(aside);
            file.append(LogFormat.encode(header, identityHash));
            return file;
        } catch (IOException failure) {
            if (file != null) {
                file.close();
            }
            if (DiskFullException.isReasonOf(failure)) {
                disk.delete(aside);
                throw new DiskFullException(failure);
            }
            throw failure;
        }
    }

    DiskFile open(long sequence) throws IOException {
        return disk.open(path(LogFormat.segmentName(sequence)));
    }

    SegmentHeader readHeader(DiskFile file, long sequence) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LogFormat.SEGMENT_HEADER_BYTES);
        file.read(0, bytes);
        return LogFormat.decode(bytes.flip(), identityHash, sequence, describe(sequence));
    }

    void delete(long sequence) throws IOException {
        disk.delete(path(LogFormat.segmentName(sequence)));
    }

    void syncDirectory() throws IOException {
        disk.syncDirectory(directory);
    }

    private String path(String name) {
        return directory + "/" + name;
    }
}
