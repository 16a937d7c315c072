package io.holdfast.chaos.history;

import io.holdfast.simulation.check.RegisterOp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All that the client processes of a run saw; grows by {@link #read}. <b>Thread:</b> one. */
public final class History {
    private final Map<String, List<RegisterOp>> registers = new TreeMap<>();
    private final List<String> created = new ArrayList<>();
    private final List<Grant> grants = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private final List<Fenced> fenced = new ArrayList<>();
    private final List<Lost> lost = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    private final List<Owner> owners = new ArrayList<>();
    private final List<String> unexpected = new ArrayList<>();

    /** An acquire that was answered with a hold. */
    public record Grant(
            String client, String lock, long token, boolean shared, long invokedNanos, long returnedNanos) {}

    /** {@code isHeld()} said yes at some time between the two. */
    public record Held(String client, String lock, long token, boolean shared, long beforeNanos, long afterNanos) {}

    /** A write to the fenced resource, and whether the writer still held the lock when it had the answer. */
    public record Fenced(String client, String lock, long token, long nanos, boolean accepted, boolean heldAfter) {}

    public record Lost(String client, String lock, long token, long nanos, String sessionState, String reason) {}

    /** @param session its name within the client process */
    public record State(String client, String session, long nanos, String state, long leaseMillis, String reason) {}

    /** What the cell said, through a replica, about who holds an exclusive lock. */
    public record Owner(String client, String lock, long beforeNanos, long afterNanos, long token, String replica) {}

    /**
     * Adds what one life of a client process wrote.
     *
     * @param client name of the process, the same for all its lives
     */
    public void read(String client, Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        Map<Long, Pending> pending = new HashMap<>();
        // What follows the last line end was cut off by a kill.
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
            if (!line.isEmpty()) {
                take(client, line.split("\t", -1), pending);
            }
        }
        pending.values().forEach(op -> record(op, RegisterOp.NEVER, 0, op.value));
    }

    private record Pending(String key, RegisterOp.Kind kind, long invokedNanos, long expectedVersion, long value) {}

    private void take(String client, String[] word, Map<Long, Pending> pending) {
        switch (word[0]) {
            case "I" ->
                pending.put(
                        number(word[1]),
                        new Pending(
                                word[2],
                                RegisterOp.Kind.valueOf(word[3]),
                                number(word[4]),
                                number(word[5]),
                                number(word[6])));
            case "R" -> {
                Pending op = pending.remove(number(word[1]));
                if (op != null) {
                    boolean read = op.kind == RegisterOp.Kind.GET;
                    record(op, number(word[2]), number(word[3]), read ? number(word[4]) : op.value);
                }
            }
            case "D" -> pending.remove(number(word[1]));
            case "A" -> created.add(word[1]);
            case "E" -> unexpected.add(client + ": " + word[2]);
            default -> takeHold(client, word);
        }
    }

    private void takeHold(String client, String[] word) {
        switch (word[0]) {
            case "G" ->
                grants.add(new Grant(client, word[1], number(word[2]), yes(word[3]), number(word[4]), number(word[5])));
            case "H" ->
                held.add(new Held(client, word[1], number(word[2]), yes(word[3]), number(word[4]), number(word[5])));
            case "F" ->
                fenced.add(new Fenced(client, word[1], number(word[2]), number(word[3]), yes(word[4]), yes(word[5])));
            case "L" -> lost.add(new Lost(client, word[1], number(word[2]), number(word[3]), word[4], word[5]));
            case "S" -> states.add(new State(client, word[1], number(word[2]), word[3], number(word[4]), word[5]));
            case "Q" ->
                owners.add(new Owner(client, word[1], number(word[2]), number(word[3]), number(word[4]), word[5]));
            default -> throw new IllegalArgumentException("a history has a line of kind " + word[0]);
        }
    }

    /** An operation on a value that the harness itself made. */
    public void add(String key, RegisterOp op) {
        registers.computeIfAbsent(key, unseen -> new ArrayList<>()).add(op);
    }

    private void record(Pending op, long returnedNanos, long result, long value) {
        if (op.kind == RegisterOp.Kind.GET && returnedNanos == RegisterOp.NEVER) {
            return; // a read that was never answered tells nothing
        }
        add(op.key, new RegisterOp(op.kind, op.invokedNanos, returnedNanos, op.expectedVersion, value, result));
    }

    private static long number(String word) {
        return Long.parseLong(word);
    }

    private static boolean yes(String word) {
        return Boolean.parseBoolean(word);
    }

    /** Operations by key. */
    public Map<String, List<RegisterOp>> registers() {
        return registers;
    }

    /** Paths whose creation was acknowledged. */
    public List<String> created() {
        return created;
    }

    public List<Grant> grants() {
        return grants;
    }

    public List<Held> held() {
        return held;
    }

    public List<Fenced> fenced() {
        return fenced;
    }

    public List<Lost> lost() {
        return lost;
    }

    public List<State> states() {
        return states;
    }

    public List<Owner> owners() {
        return owners;
    }

    public List<String> unexpected() {
        return unexpected;
    }
}
