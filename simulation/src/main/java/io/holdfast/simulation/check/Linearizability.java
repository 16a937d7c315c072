package io.holdfast.simulation.check;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the recorded operations on one key can have happened one after the other, each between its call and its
 * answer.
 *
 * <p>An operation of unknown fate may take effect at any time after its call, or never.
 *
 * <p><b>Source:</b> Wing and Gong, Testing and Verifying Concurrent Objects (1993); Lowe, Testing for Linearizability
 * (2017) for the memory of dead ends.
 */
public final class Linearizability {
    private final int maxSteps;

    /** What came of a check. */
    public enum Verdict {
        LINEARIZABLE,
        NOT_LINEARIZABLE,
        /** Given up after the allowed number of steps. */
        UNDECIDED
    }

    public Linearizability(int maxSteps) {
        this.maxSteps = maxSteps;
    }

    /** A call or an answer in the doubly linked list of what is not yet placed. */
    private static final class Node {
        final RegisterOp op;
        final int index;
        final boolean isCall;

        @Nullable
        Node answer;

        @Nullable
        Node previous;

        @Nullable
        Node next;

        Node(RegisterOp op, int index, boolean isCall) {
            this.op = op;
            this.index = index;
            this.isCall = isCall;
        }

        long time() {
            return isCall ? op.invokedNanos() : op.returnedNanos();
        }
    }

    /** Operations that are placed, with the state after them: a dead end if met twice. */
    private record Configuration(Bits placed, RegisterState state) {}

    /** A set of small numbers with value equality. */
    private static final class Bits {
        final long[] words;

        Bits(long[] words) {
            this.words = words;
        }

        Bits with(int index) {
            long[] copy = words.clone();
            copy[index >>> 6] |= 1L << index;
            return new Bits(copy);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bits bits && Arrays.equals(words, bits.words);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(words);
        }
    }

    /** A placed operation, to be taken back. */
    private record Placed(
            Node call,
            RegisterState before,
            Bits bitsBefore,
            @Nullable Placed below) {}

    public Verdict check(List<RegisterOp> history) {
        Node head = link(history);
        Bits placed = new Bits(new long[(history.size() >>> 6) + 1]);
        RegisterState state = RegisterState.EMPTY;
        Set<Configuration> seen = new HashSet<>();
        Placed stack = null;
        Node at = head.next;
        for (int step = 0; step < maxSteps; step++) {
            if (at == null || onlyUnknownLeft(head)) {
                return Verdict.LINEARIZABLE;
            }
            if (at.isCall) {
                RegisterState after = state.after(at.op);
                Bits with = placed.with(at.index);
                if (after != null && seen.add(new Configuration(with, after))) {
                    stack = new Placed(at, state, placed, stack);
                    state = after;
                    placed = with;
                    remove(at);
                    at = head.next;
                } else {
                    at = at.next;
                }
            } else {
                // an answer whose call is not placed: go back
                if (stack == null) {
                    return Verdict.NOT_LINEARIZABLE;
                }
                at = stack.call();
                state = stack.before();
                placed = stack.bitsBefore();
                stack = stack.below();
                restore(at);
                at = at.next;
            }
        }
        return Verdict.UNDECIDED;
    }

    private static boolean onlyUnknownLeft(Node head) {
        // answers of known operations come before those of unknown ones, so the first answer decides
        for (Node at = head.next; at != null; at = at.next) {
            if (!at.op.isUnknown()) {
                return false;
            }
            if (!at.isCall) {
                return true;
            }
        }
        return true;
    }

    private static Node link(List<RegisterOp> history) {
        Node[] nodes = new Node[history.size() * 2];
        for (int i = 0; i < history.size(); i++) {
            Node call = new Node(history.get(i), i, true);
            Node answer = new Node(history.get(i), i, false);
            call.answer = answer;
            nodes[2 * i] = call;
            nodes[2 * i + 1] = answer;
        }
        // at the same instant calls come first: then the two overlap, which allows more
        Arrays.sort(nodes, Comparator.comparingLong(Node::time).thenComparing(node -> !node.isCall));
        Node head = new Node(new RegisterOp(RegisterOp.Kind.GET, 0, 0, 0, 0, 0), -1, true);
        Node last = head;
        for (Node node : nodes) {
            last.next = node;
            node.previous = last;
            last = node;
        }
        return head;
    }

    private static void remove(Node call) {
        unlink(call);
        if (call.answer != null) {
            unlink(call.answer);
        }
    }

    private static void unlink(Node node) {
        if (node.previous != null) {
            node.previous.next = node.next;
        }
        if (node.next != null) {
            node.next.previous = node.previous;
        }
    }

    private static void restore(Node call) {
        if (call.answer != null) {
            relink(call.answer);
        }
        relink(call);
    }

    private static void relink(Node node) {
        if (node.previous != null) {
            node.previous.next = node;
        }
        if (node.next != null) {
            node.next.previous = node;
        }
    }
}
