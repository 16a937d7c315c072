package io.holdfast.chaos.history;

import io.holdfast.simulation.check.RegisterOp;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.StringJoiner;

/**
 * Writes down what a client process sees, one line for each thing, each handed to the system at once so that a kill loses
 * nothing. All times are {@link System#nanoTime}, which all processes of a machine share.
 *
 * <p><b>Thread:</b> any.
 */
public final class HistoryWriter {
    private final FileOutputStream out;
    private long nextId;

    public HistoryWriter(Path file) throws IOException {
        out = new FileOutputStream(file.toFile(), true);
    }

    private synchronized void line(Object... words) {
        StringJoiner line = new StringJoiner("\t", "", "\n");
        for (Object word : words) {
            line.add(String.valueOf(word).replace('\t', ' ').replace('\n', ' '));
        }
        try {
            out.write(line.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** An operation on a value is about to be called; returns its number for {@link #returned} or {@link #notDone}. */
    public long invoked(String key, RegisterOp.Kind kind, long expectedVersion, long value) {
        long id;
        synchronized (this) {
            id = ++nextId;
        }
        line("I", id, key, kind, System.nanoTime(), expectedVersion, value);
        return id;
    }

    /**
     * It was answered. Without this or {@link #notDone} its fate is unknown.
     *
     * @param result as {@link RegisterOp#result()}
     * @param value what was read; of other operations ignored
     */
    public void returned(long id, long result, long value) {
        line("R", id, System.nanoTime(), result, value);
    }

    /** It certainly had no effect, and told nothing. */
    public void notDone(long id) {
        line("D", id);
    }

    /** A node with a name of its own was created, for ever. */
    public void created(String path) {
        line("A", path);
    }

    public void granted(String lock, long token, boolean shared, long invokedNanos) {
        line("G", lock, token, shared, invokedNanos, System.nanoTime());
    }

    /** {@code isHeld()} said yes at some time between the two. */
    public void held(String lock, long token, boolean shared, long beforeNanos, long afterNanos) {
        line("H", lock, token, shared, beforeNanos, afterNanos);
    }

    /** A write to the fenced resource; {@code heldAfter} was asked when its answer had come. */
    public void fenced(String lock, long token, boolean accepted, boolean heldAfter) {
        line("F", lock, token, System.nanoTime(), accepted, heldAfter);
    }

    public void lost(String lock, long token, String sessionState, String reason) {
        line("L", lock, token, System.nanoTime(), sessionState, reason);
    }

    /** A session's state changed. */
    public void state(String session, String state, long leaseMillis, String reason) {
        line("S", session, System.nanoTime(), state, leaseMillis, reason);
    }

    /** The cell was asked, through one replica, which exclusive token holds; 0 for none. */
    public void owner(String lock, long beforeNanos, long token, String replica) {
        line("Q", lock, beforeNanos, System.nanoTime(), token, replica);
    }

    /** Something that must not happen. */
    public void unexpected(String what) {
        line("E", System.nanoTime(), what);
    }
}
