package io.holdfast.storage;

import io.holdfast.raft.EntryType;
import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.ReplicaId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One cell's part of a batch, as it is in the log.
 *
 * <p>Every record repeats the cell's term, vote and base, so that only the newest one is needed for them and the older
 * ones hold nothing alive but entries. On disk:
 *
 * <pre>
 * byte flags (1 = reset)   byte name length, name   long term   short vote length or -1, vote
 * long base index   long base term   int number of entries   long index of the first (if any)
 * each entry: long term   byte type   int length, data
 * </pre>
 *
 * @param reset true if nothing of the cell's earlier entries is left
 * @param baseIndex entries at or below it are gone
 * @param entries contiguous; the first one replaces everything at and after its index
 */
record CellRecord(
        CellId cell, boolean reset, HardState hardState, long baseIndex, long baseTerm, List<LogEntry> entries) {
    private static final int FLAG_RESET = 1;
    private static final int ENTRY_OVERHEAD_BYTES = 13;
    private static final int FIXED_BYTES = 1 + 1 + 8 + 2 + 8 + 8 + 4 + 8;

    /** Bytes that an entry takes on disk. */
    static long sizeBytes(LogEntry entry) {
        return entry.data().length + ENTRY_OVERHEAD_BYTES;
    }

    void encode(RecordBuffer out) {
        byte[] name = cell.value().getBytes(StandardCharsets.UTF_8);
        ReplicaId votedFor = hardState.votedFor();
        byte @Nullable [] vote = votedFor == null ? null : votedFor.value().getBytes(StandardCharsets.UTF_8);
        long size = FIXED_BYTES + name.length + (vote == null ? 0 : vote.length);
        for (LogEntry entry : entries) {
            size += sizeBytes(entry);
        }
        ByteBuffer bytes = out.reserve(size);
        bytes.put((byte) (reset ? FLAG_RESET : 0));
        bytes.put((byte) name.length).put(name);
        bytes.putLong(hardState.term());
        if (vote == null) {
            bytes.putShort((short) -1);
        } else {
            Invariants.check(vote.length <= Short.MAX_VALUE, "replica id of %d bytes", vote.length);
            bytes.putShort((short) vote.length).put(vote);
        }
        bytes.putLong(baseIndex).putLong(baseTerm).putInt(entries.size());
        if (!entries.isEmpty()) {
            bytes.putLong(entries.get(0).index());
        }
        for (LogEntry entry : entries) {
            bytes.putLong(entry.term()).put((byte) entry.type().code());
            bytes.putInt(entry.data().length).put(entry.data());
        }
    }

    /**
     * Reads one record from a payload whose checksum was right.
     *
     * @throws IllegalArgumentException if it makes no sense all the same
     */
    static CellRecord decode(ByteBuffer in) {
        try {
            int flags = in.get();
            if ((flags & ~FLAG_RESET) != 0) {
                throw new IllegalArgumentException("unknown flags " + flags);
            }
            CellId cell = new CellId(string(in, in.get()));
            long term = in.getLong();
            int voteBytes = in.getShort();
            ReplicaId vote = voteBytes < 0 ? null : new ReplicaId(string(in, voteBytes));
            long baseIndex = in.getLong();
            long baseTerm = in.getLong();
            int count = in.getInt();
            if (count < 0 || (long) count * ENTRY_OVERHEAD_BYTES > in.remaining()) {
                throw new IllegalArgumentException(count + " entries in " + in.remaining() + " bytes");
            }
            List<LogEntry> entries = new ArrayList<>(count);
            long first = count == 0 ? 0 : in.getLong();
            for (int i = 0; i < count; i++) {
                long entryTerm = in.getLong();
                EntryType type = EntryType.of(in.get());
                entries.add(new LogEntry(first + i, entryTerm, type, bytes(in, in.getInt())));
            }
            return new CellRecord(
                    cell, (flags & FLAG_RESET) != 0, new HardState(term, vote), baseIndex, baseTerm, entries);
        } catch (BufferUnderflowException cut) {
            throw new IllegalArgumentException("a cell's record ends early", cut);
        }
    }

    private static String string(ByteBuffer in, int length) {
        return new String(bytes(in, length), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("length " + length + " with " + in.remaining() + " bytes left");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
