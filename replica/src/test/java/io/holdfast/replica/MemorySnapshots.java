package io.holdfast.replica;

import io.holdfast.raft.SnapshotMeta;
import io.holdfast.storage.SnapshotStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Snapshot files in memory. */
final class MemorySnapshots implements SnapshotStore {
    final TreeMap<Long, Map.Entry<SnapshotMeta, byte[]>> complete = new TreeMap<>();
    private final Map<Long, ByteArrayOutputStream> unfinished = new TreeMap<>();
    /** While true every write fails. */
    boolean full;
    /** While true nothing can be deleted. */
    boolean undeletable;
    /** While true nobody knows what a commit made durable. */
    boolean unsure;

    @Override
    public Optional<SnapshotMeta> newest() {
        return complete.isEmpty()
                ? Optional.empty()
                : Optional.of(complete.lastEntry().getValue().getKey());
    }

    @Override
    public Writer begin(SnapshotMeta meta) {
        unfinished.remove(meta.index());
        return resume(meta);
    }

    @Override
    public Writer resume(SnapshotMeta meta) {
        ByteArrayOutputStream bytes = unfinished.computeIfAbsent(meta.index(), any -> new ByteArrayOutputStream());
        return new Writer() {
            @Override
            public long offset() {
                return bytes.size();
            }

            @Override
            public void write(byte[] data, int from, int length) throws IOException {
                if (full) {
                    throw new IOException("No space left on device");
                }
                bytes.write(data, from, length);
            }

            @Override
            public void commit() {
                if (unsure) {
                    throw new UncheckedIOException(new IOException("Input/output error"));
                }
                complete.put(meta.index(), Map.entry(meta, bytes.toByteArray()));
                unfinished.remove(meta.index());
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Optional<byte[]> read(SnapshotMeta meta, long offset, int maxBytes) {
        Map.Entry<SnapshotMeta, byte[]> file = complete.get(meta.index());
        if (file == null) {
            return Optional.empty();
        }
        int from = (int) Math.min(offset, file.getValue().length);
        int to = Math.min(file.getValue().length, from + maxBytes);
        return Optional.of(Arrays.copyOfRange(file.getValue(), from, to));
    }

    @Override
    public Optional<Long> sizeBytes(SnapshotMeta meta) {
        return Optional.ofNullable(complete.get(meta.index())).map(file -> (long) file.getValue().length);
    }

    @Override
    public void prune(int keep) throws IOException {
        if (undeletable) {
            throw new IOException("Operation not permitted");
        }
        while (complete.size() > keep) {
            complete.pollFirstEntry();
        }
        unfinished.clear();
    }
}
