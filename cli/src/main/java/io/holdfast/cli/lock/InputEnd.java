package io.holdfast.cli.lock;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Reads standard input for its end only. */
final class InputEnd {
    private InputEnd() {}

    /** Completes at end of input, also if it cannot be read. */
    static CompletableFuture<Void> watch() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // What comes in means nothing.
                        }
                    } catch (IOException unreadable) {
                        // As if it had ended.
                    }
                    end.complete(null);
                },
                "holdfast-input");
        reader.setDaemon(true);
        reader.start();
        return end;
    }
}
