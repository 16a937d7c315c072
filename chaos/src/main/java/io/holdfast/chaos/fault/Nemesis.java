package io.holdfast.chaos.fault;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Attacks, one fault after the other and sometimes two at once, until the time is over. Every kind has its turn before any
 * comes again; order, targets and measures follow from the seed.
 *
 * <p><b>Thread:</b> one.
 */
public final class Nemesis {
    private static final int TWO_AT_ONCE_PERCENT = 25;
    private static final long CALM_FROM_MILLIS = 1_000;
    private static final long CALM_TO_MILLIS = 4_000;

    private final FaultMaker maker;
    private final SplittableRandom random;
    private final List<FaultKind> kinds;
    private final List<FaultKind> deck = new ArrayList<>();
    private final Observer observer;
    private final List<Done> done = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
    private final Map<FaultKind, Integer> reached = new EnumMap<>(FaultKind.class);

    /** Hears of each attack, and waits for the cell to come back. */
    public interface Observer {
        void begun(FaultKind kind, String target);

        /** Names of the replicas that the cell has to do without at the moment, as far as is known. */
        Set<String> absent();

        /** Called when nothing is broken any more; blocks until the cell serves, or has had its time for that. */
        void healed(List<FaultKind> kinds);
    }

    /**
     * A fault that is over.
     *
     * @param hitSessions sessions that it may have ended
     * @param reached whether it was seen to have an effect
     */
    public record Done(
            FaultKind kind, String target, long beginNanos, long endNanos, Set<String> hitSessions, boolean reached) {}

    private record Running(FaultKind kind, Fault fault, long beginNanos) {}

    /** @param kinds those that can be done here */
    public Nemesis(Arena arena, SplittableRandom random, List<FaultKind> kinds, Observer observer) {
        this.maker = new FaultMaker(arena, random.split());
        this.random = random;
        this.kinds = List.copyOf(kinds);
        this.observer = observer;
    }

    /** @param endNanos no fault begins after this */
    public void run(long endNanos) throws IOException, InterruptedException {
        while (System.nanoTime() < endNanos) {
            List<Running> running = new ArrayList<>();
            Set<String> absent = observer.absent();
            try {
                FaultKind kind = draw();
                running.add(begin(kind));
                if (random.nextInt(100) < TWO_AT_ONCE_PERCENT) {
                    FaultKind second = draw();
                    if (second.isOfOneFamilyWith(kind)) {
                        deck.add(second);
                    } else {
                        running.add(begin(second));
                    }
                }
                long millis = 0;
                for (Running one : running) {
                    millis = Math.max(
                            millis,
                            random.nextLong(one.kind().fromMillis(), one.kind().toMillis()));
                }
                TimeUnit.MILLISECONDS.sleep(millis);
            } finally {
                end(running);
            }
            observer.healed(running.stream().map(Running::kind).toList());
            rounds.add(round(running, absent));
            TimeUnit.MILLISECONDS.sleep(random.nextLong(CALM_FROM_MILLIS, CALM_TO_MILLIS));
        }
    }

    private static Round round(List<Running> running, Set<String> absent) {
        Set<String> impaired = new TreeSet<>();
        running.forEach(one -> impaired.addAll(one.fault().impaired()));
        return new Round(
                running.stream().map(Running::kind).toList(),
                running.stream().map(Running::beginNanos).toList(),
                System.nanoTime(),
                impaired,
                absent,
                running.stream()
                        .mapToLong(one -> one.fault().syncDelayMillis())
                        .max()
                        .orElse(0));
    }

    private FaultKind draw() {
        if (deck.isEmpty()) {
            deck.addAll(kinds);
            for (int i = deck.size() - 1; i > 0; i--) {
                Collections.swap(deck, i, random.nextInt(i + 1));
            }
        }
        return deck.remove(deck.size() - 1);
    }

    private Running begin(FaultKind kind) throws IOException {
        Fault fault = maker.make(kind);
        observer.begun(kind, fault.target());
        long begin = System.nanoTime();
        fault.begin();
        return new Running(kind, fault, begin);
    }

    /** The last first, so that what one needs of the other is still there. */
    private void end(List<Running> running) throws IOException {
        for (int i = running.size() - 1; i >= 0; i--) {
            Running one = running.get(i);
            boolean effect = one.fault().end();
            counts.merge(one.kind(), 1, Integer::sum);
            if (effect) {
                reached.merge(one.kind(), 1, Integer::sum);
            }
            done.add(new Done(
                    one.kind(),
                    one.fault().target(),
                    one.beginNanos(),
                    System.nanoTime(),
                    one.fault().hitSessions(),
                    effect));
        }
    }

    public List<Done> done() {
        return List.copyOf(done);
    }

    public List<Round> rounds() {
        return List.copyOf(rounds);
    }

    /** How often a kind was done. */
    public int count(FaultKind kind) {
        return counts.getOrDefault(kind, 0);
    }

    /** How often it was seen to have an effect. */
    public int reached(FaultKind kind) {
        return reached.getOrDefault(kind, 0);
    }
}
