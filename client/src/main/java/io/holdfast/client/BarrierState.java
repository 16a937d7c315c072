package io.holdfast.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who stands at a double barrier, and what follows from that. Pure.
 *
 * <p>Whoever comes stands at the entrance. When enough stand there, the first of them are a round. Whoever wants to leave also stands at
 * the exit, with the list of its round, and goes when every other of its round stands there too or is gone; from the entrance first.
 *
 * <p>So a slow member never misses that its round is complete: nobody of the round goes before that member stands at the exit itself, and
 * until then either all of the round stand at the entrance, or somebody stands at the exit with the list.
 *
 * <p><b>Invariants:</b> 1. A member is in one round at most. 2. Whoever is in a round that is listed at the exit is in no other.
 *
 * @param entrance tokens of those who stand there
 * @param exit by the token that a member has at the entrance: the tokens of its round
 */
record BarrierState(TreeSet<Long> entrance, Map<Long, List<Long>> exit) {
    BarrierState() {
        this(new TreeSet<>(), new TreeMap<>());
    }

    /** Adds who stands at the exit with this value; nothing if the value is not one of ours. */
    void addAtExit(String value) {
        List<Long> numbers = new ArrayList<>();
        for (String number : value.split(",", -1)) {
            try {
                numbers.add(Long.parseLong(number));
            } catch (NumberFormatException foreign) {
                return;
            }
        }
        exit.put(numbers.get(0), List.copyOf(numbers.subList(1, numbers.size())));
    }

    /** What a member writes to its place at the exit. */
    static String atExit(long member, List<Long> round) {
        StringBuilder value = new StringBuilder().append(member);
        round.forEach(other -> value.append(',').append(other));
        return value.toString();
    }

    /** The round of a member that stands at the entrance; null if it is not complete yet. */
    @Nullable
    List<Long> roundOf(long member, int members) {
        TreeSet<Long> waiting = new TreeSet<>(entrance);
        for (List<Long> round : exit.values()) {
            if (round.contains(member)) {
                return round;
            }
            round.forEach(waiting::remove);
        }
        List<Long> first = waiting.stream().limit(members).toList();
        return first.size() == members && first.contains(member) ? first : null;
    }

    /** Whether everybody of a round stands at the exit or is gone. */
    boolean mayGo(List<Long> round) {
        return round.stream().allMatch(member -> exit.containsKey(member) || !entrance.contains(member));
    }
}
