package io.holdfast.chaos.run;

import io.holdfast.chaos.check.AvailabilityCheck;
import io.holdfast.chaos.check.Finding;
import io.holdfast.chaos.fault.FaultKind;
import io.holdfast.chaos.fault.Nemesis;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Says what is going on and what came of it, on standard output and in the file {@code report.txt}. <b>Thread:</b> any. */
final class Report {
    private static final int SHOWN_FINDINGS = 20;

    /** What a run comes to. */
    enum Verdict {
        GREEN(0),
        RED(1),
        /** No promise was seen broken, but too little was seen. */
        NONE(3);

        private final int exitStatus;

        Verdict(int exitStatus) {
            this.exitStatus = exitStatus;
        }

        /** Of {@code chaos/run}. */
        int exitStatus() {
            return exitStatus;
        }
    }

    private final PrintStream out;
    private final Path file;
    private final long startNanos = System.nanoTime();
    private final Set<Finding> findings = new LinkedHashSet<>();

    Report(PrintStream out, Path file) {
        this.out = out;
        this.file = file;
    }

    synchronized void line(String text) {
        out.println(text);
        out.flush();
        try {
            Files.writeString(
                    file, text + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** With the time since the start. */
    void event(String text) {
        line(String.format(Locale.ROOT, "%7.1f s  %s", (System.nanoTime() - startNanos) / 1e9, text));
    }

    /** A promise was broken; said at once. */
    synchronized void finding(Finding finding) {
        if (findings.add(finding)) {
            event("RED  " + finding);
        }
    }

    synchronized List<Finding> findings() {
        return new ArrayList<>(findings);
    }

    void faults(Nemesis nemesis, AvailabilityCheck.Result availability, Options options) {
        line("");
        line(
                "done: times tried; effect: times seen to have one; judged: times that a majority could work, so that the cell had"
                        + " to serve");
        line("silence: longest time in ms without an answered write, when judged / otherwise; leaders: changes seen");
        line("fault                     done  effect  judged          silence  leaders");
        int never = 0;
        for (FaultKind kind : options.kinds()) {
            AvailabilityCheck.OfKind seen = availability.byKind().getOrDefault(kind, AvailabilityCheck.OfKind.NOTHING);
            line(String.format(
                    Locale.ROOT,
                    "%-24s %5d %7d %7d %8d /%7d %8d",
                    kind.label(),
                    nemesis.count(kind),
                    nemesis.reached(kind),
                    seen.judged(),
                    seen.judgedSilenceMillis(),
                    seen.otherSilenceMillis(),
                    seen.leaderChanges()));
            never += nemesis.reached(kind) == 0 ? 1 : 0;
        }
        if (never > 0) {
            line(never + " kinds of faults were NOT REACHED: the time was too short for them, or they had no effect");
        }
        skipped(options);
    }

    /** What cannot be done here, loudly. */
    void skipped(Options options) {
        List<FaultKind> skipped = options.skipped();
        if (!skipped.isEmpty()) {
            line("SKIPPED " + skipped.size() + " kinds of faults:");
            skipped.forEach(
                    kind -> line("  " + kind.label() + " needs " + kind.needs().words()));
        }
    }

    /** The harness itself broke. What was found before stays found. */
    synchronized Verdict failed(Exception failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        line((findings.isEmpty() ? "NO VERDICT" : "RED: " + findings.size() + " broken promises, and then")
                + ": the harness failed: " + text);
        return findings.isEmpty() ? Verdict.NONE : Verdict.RED;
    }

    /** @param missing what the run has not shown, so that it cannot be green */
    synchronized Verdict verdict(Options options, List<String> missing) {
        line("");
        missing.forEach(what -> line("NOT SHOWN: " + what));
        if (findings.isEmpty() && missing.isEmpty()) {
            line("GREEN: no promise was broken (seed " + options.seed() + ")");
            return Verdict.GREEN;
        }
        if (findings.isEmpty()) {
            line("NO VERDICT: no promise was seen broken, but too little was shown (seed " + options.seed()
                    + "); logs and histories are in " + options.directory());
            return Verdict.NONE;
        }
        findings.stream().limit(SHOWN_FINDINGS).forEach(finding -> line("  " + finding));
        line("RED: " + findings.size() + " broken promises (seed " + options.seed() + "); logs and histories are in "
                + options.directory());
        return Verdict.RED;
    }
}
