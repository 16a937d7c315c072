package io.holdfast.chaos.ledger;

import io.holdfast.chaos.proc.LoadProcess;
import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.proc.Shell;
import io.holdfast.chaos.show.ShowCell;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** The processes that move money; see {@link WorkerMain}. <b>Thread:</b> one. */
final class Workers implements AutoCloseable {
    private final List<LoadProcess> all = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(11);

    Workers(ShowCell.Ground ground, ShowCell cell, String url, int count, boolean guarded) {
        for (int i = 0; i < count; i++) {
            String name = (guarded ? "guarded" : "unguarded") + i;
            all.add(new LoadProcess(
                    name,
                    ground.log(name),
                    ground.launch(name, ground.classPath(), "-Xmx96m"),
                    WorkerMain.class.getName(),
                    life -> List.of(cell.endpoints(), url, Boolean.toString(guarded), name + "-" + life)));
        }
        all.forEach(ManagedProcess::ensureRunning);
    }

    /** Stops one for a while; whether it really stopped. */
    boolean freezeOne(Duration length) throws InterruptedException {
        LoadProcess victim = all.get(random.nextInt(all.size()));
        List<Long> pids = List.of(victim.pid());
        try {
            Shell.signal("STOP", pids);
            Thread.sleep(length.toMillis());
            return victim.isFrozen();
        } finally {
            Shell.signal("CONT", pids);
        }
    }

    /** Lines of all logs that begin so. */
    long said(String word) throws IOException {
        long count = 0;
        for (LoadProcess worker : all) {
            try (Stream<String> lines = Files.lines(worker.log())) {
                count += lines.filter(line -> line.startsWith(word)).count();
            }
        }
        return count;
    }

    List<String> diedByThemselves() {
        return all.stream()
                .filter(ManagedProcess::diedByItself)
                .map(worker -> worker + ": " + worker.logTail())
                .toList();
    }

    /** Asks them to end and waits. */
    void finish() {
        all.forEach(LoadProcess::finish);
        all.forEach(ManagedProcess::awaitEnd);
    }

    @Override
    public void close() {
        ManagedProcess.killAll(all);
    }
}
