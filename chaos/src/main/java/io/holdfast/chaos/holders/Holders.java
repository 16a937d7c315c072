package io.holdfast.chaos.holders;

import io.holdfast.chaos.history.History;
import io.holdfast.chaos.proc.LoadProcess;
import io.holdfast.chaos.show.ShowCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A client process whose sessions hold a lock each; see {@link HoldersMain}. <b>Thread:</b> one. */
public final class Holders {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long POLL_MILLIS = 200;

    /**
     * How much it does.
     *
     * @param sampleMillis between two samples of all holds
     * @param writeMillis between two writes of a session; 0 for none
     */
    public record Pace(long sampleMillis, long writeMillis) {}

    private final String name;
    private final int sessions;
    private final Path file;
    private final LoadProcess process;

    /**
     * @param name of the process, unique in the run
     * @param prefix command that leads into its namespace
     */
    public Holders(
            ShowCell.Ground ground, String name, List<String> prefix, String endpoints, int sessions, Pace pace) {
        this.name = name;
        this.sessions = sessions;
        this.file = ground.directory().resolve("log").resolve(name + ".history");
        this.process = new LoadProcess(
                name,
                ground.log(name),
                ground.launch(name, prefix, ground.plantedClassPath(), "-Xmx256m", "-Xss256k"),
                HoldersMain.class.getName(),
                life -> List.of(
                        endpoints,
                        parent(),
                        Integer.toString(sessions),
                        file.toString(),
                        Long.toString(pace.sampleMillis()),
                        Long.toString(pace.writeMillis())));
    }

    public void start() {
        process.ensureRunning();
    }

    /** The locks are below it, named by the number of their session. */
    public String parent() {
        return "/holders/" + name;
    }

    public String lock(int session) {
        return parent() + "/" + session;
    }

    public String name() {
        return name;
    }

    public int sessions() {
        return sessions;
    }

    /** Until each session has its lock. */
    public void awaitAll() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (grants() < sessions) {
            if (System.nanoTime() > end || process.diedByItself()) {
                throw new IllegalStateException(
                        name + " did not get its " + sessions + " locks in time:\n  " + process.logTail());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private long grants() throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("G\t")).count();
        }
    }

    /** Ends it and adds what it saw. */
    public void finish(History history) throws IOException {
        process.finish();
        process.awaitEnd();
        history.read(name, file);
    }

    /** For the end of a run that failed. */
    public void kill() {
        LoadProcess.killAll(List.of(process));
    }
}
