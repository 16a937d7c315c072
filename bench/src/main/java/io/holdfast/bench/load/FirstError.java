package io.holdfast.bench.load;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** The first of many errors, as a word without spaces; {@code none} while there is none. <b>Thread:</b> any. */
public final class FirstError {
    private final AtomicReference<String> word = new AtomicReference<>("none");

    /** Keeps it if it is the first, and puts it into the log. */
    public void offer(String problem) {
        if (word.compareAndSet("none", problem.strip().replaceAll("\\s", "_"))) {
            System.err.println(problem);
        }
    }

    public String word() {
        return Objects.requireNonNullElse(word.get(), "none");
    }
}
