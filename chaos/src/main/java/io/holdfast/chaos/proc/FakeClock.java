package io.holdfast.chaos.proc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The wall clock of one process, moved with libfaketime; its monotonic clock is left alone. */
public final class FakeClock {
    private final Path library;
    private final Path file;

    public FakeClock(Path library, Path file) throws IOException {
        this.library = library;
        this.file = file;
        set(0);
    }

    /** Moves it by so much from the true time; 0 sets it right. */
    public void set(long offsetSeconds) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(aside, (offsetSeconds < 0 ? "" : "+") + offsetSeconds + "\n");
        Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** What the process has to be started with, besides the library. */
    public Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>();
        environment.put("FAKETIME_TIMESTAMP_FILE", file.toString());
        environment.put("FAKETIME_CACHE_DURATION", "1");
        environment.put("DONT_FAKE_MONOTONIC", "1");
        environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        // Otherwise waits on condition variables return at once.
        environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        return environment;
    }

    public Path library() {
        return library;
    }

    /** How far a process with this clock is from the true time now. */
    public long offsetSeconds() {
        Map<String, String> environment = environment();
        String seconds = Shell.run(
                "env",
                "LD_PRELOAD=" + library,
                "FAKETIME_TIMESTAMP_FILE=" + environment.get("FAKETIME_TIMESTAMP_FILE"),
                "date",
                "+%s");
        return Long.parseLong(seconds.strip()) - TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
    }
}
