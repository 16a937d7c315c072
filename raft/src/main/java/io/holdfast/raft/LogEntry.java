package io.holdfast.raft;

/**
 * One entry of the replicated log. The bytes are shared, never copied and never changed after construction.
 *
 * @param index position in the log, from 1
 * @param term term of the leader that made it
 * @param type what {@code data} holds
 * @param data opaque to Raft unless {@code type} is {@link EntryType#MEMBERSHIP}
 */
public record LogEntry(long index, long term, EntryType type, byte[] data) {
    /** What this entry is charged for in queues and batches, in bytes. */
    public int sizeBytes() {
        return data.length + 32;
    }
}
