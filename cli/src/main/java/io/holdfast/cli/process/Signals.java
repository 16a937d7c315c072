package io.holdfast.cli.process;

import java.util.List;
import java.util.function.Consumer;
import sun.misc.Signal;

/**
 * Catches the signals that a wrapper passes on. The only user of {@code sun.misc.Signal}: Java has no other way.
 *
 * <p><b>Thread:</b> handlers run on threads of the JVM's own and must return soon.
 */
public final class Signals {
    private static final List<String> FORWARDED = List.of("HUP", "INT", "TERM", "USR1", "USR2");

    private Signals() {}

    /**
     * From now on {@code handler} gets each HUP, INT, TERM, USR1 and USR2 instead of the JVM. One that this process was
     * started to ignore (as {@code nohup} does) stays ignored.
     */
    public static void handle(Consumer<CaughtSignal> handler) {
        for (String name : FORWARDED) {
            try {
                Signal.handle(
                        new Signal(name),
                        signal -> handler.accept(new CaughtSignal(signal.getName(), signal.getNumber())));
            } catch (IllegalArgumentException notOnThisSystem) {
                // Then nobody can send it either, or the JVM was told to keep it.
            }
        }
    }
}
