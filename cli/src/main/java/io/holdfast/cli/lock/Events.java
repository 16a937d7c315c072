package io.holdfast.cli.lock;

import io.holdfast.cli.process.CaughtSignal;
import io.holdfast.cli.process.QuitWatch;
import io.holdfast.cli.process.Signals;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What the wrapper waits for: signals, and that something changed. Whoever is told of a change looks for itself.
 *
 * <p><b>Thread:</b> any may {@link #wake()}; one thread waits.
 */
final class Events {
    /** How often QUIT is looked for, which cannot wake anybody. */
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final LinkedBlockingQueue<Optional<CaughtSignal>> queue = new LinkedBlockingQueue<>();
    private final QuitWatch quit;
    /** All that came so far. */
    private final Set<CaughtSignal> caught = ConcurrentHashMap.newKeySet();

    Events(QuitWatch quit) {
        this.quit = quit;
    }

    /** Catches signals from now on. */
    static Events catching() {
        Events events = new Events(QuitWatch.ofProcess());
        Signals.handle(events::signal);
        return events;
    }

    void signal(CaughtSignal signal) {
        caught.add(signal);
        queue.add(Optional.of(signal));
    }

    /** Ends the present or next wait. */
    void wake() {
        queue.add(Optional.empty());
    }

    /** Waits for a signal, a wake-up, or until the time is over or it is time to look again; the signal if it was one. */
    Optional<CaughtSignal> await(long maxNanos) {
        try {
            Optional<CaughtSignal> event =
                    queue.poll(Math.max(Math.min(maxNanos, POLL_NANOS), 0), TimeUnit.NANOSECONDS);
            if (event != null && event.isPresent()) {
                return event;
            }
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
        if (!quit.arrived()) {
            return Optional.empty();
        }
        caught.add(CaughtSignal.quit());
        return Optional.of(CaughtSignal.quit());
    }

    /** Whether such a signal came so far; one that nobody has waited for yet counts, but for QUIT. */
    boolean caught(Predicate<CaughtSignal> wanted) {
        return caught.stream().anyMatch(wanted);
    }

    /** Hands signals to {@code consumer} until {@code done}, for at most {@code maxNanos}. */
    void drain(Consumer<CaughtSignal> consumer, java.util.function.BooleanSupplier done, long maxNanos) {
        long startNanos = System.nanoTime();
        while (!done.getAsBoolean()) {
            long left = maxNanos - (System.nanoTime() - startNanos);
            if (left <= 0) {
                return;
            }
            await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(10))).ifPresent(consumer);
        }
    }
}
