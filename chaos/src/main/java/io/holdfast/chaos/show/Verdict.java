package io.holdfast.chaos.show;

import io.holdfast.chaos.check.Finding;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Says what is done, counts it, and in the end whether all was well. <b>Thread:</b> any. */
public final class Verdict {
    /** Exit status of a program. */
    public static final int GREEN = 0;

    public static final int RED = 1;
    public static final int USAGE = 2;
    /** The harness itself broke, or too little was shown. */
    public static final int NO_VERDICT = 3;

    private static final int SHOWN_FINDINGS = 20;

    private final PrintStream out;
    private final long startNanos = System.nanoTime();
    /** How often each was made. Guarded by this. */
    private final Map<Finding, Integer> findings = new LinkedHashMap<>();

    /** Guarded by this. */
    private int notShown;

    public Verdict(PrintStream out) {
        this.out = out;
    }

    public synchronized void line(String text) {
        out.println(text);
        out.flush();
    }

    /** With the time since the start. */
    public void event(String format, Object... values) {
        line(String.format(Locale.ROOT, "%7.1f s  ", (System.nanoTime() - startNanos) / 1e9)
                + String.format(Locale.ROOT, format, values));
    }

    /** A promise was broken; said at once, a repetition is only counted. */
    public synchronized void finding(String promise, String format, Object... values) {
        Finding finding = new Finding(promise, String.format(Locale.ROOT, format, values));
        if (findings.merge(finding, 1, Integer::sum) == 1) {
            event("RED  %s", finding);
        }
    }

    /** What the program was to show did not come about, though nothing was broken: there is no verdict then. */
    public synchronized void notShown(String format, Object... values) {
        notShown++;
        event("NOT SHOWN  %s", String.format(Locale.ROOT, format, values));
    }

    private synchronized boolean isGreen() {
        return findings.isEmpty();
    }

    /** The harness itself broke; returns the exit status. */
    public int failed(Exception failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        line("NO VERDICT: the harness failed: " + text);
        return isGreen() ? NO_VERDICT : RED;
    }

    /** The last words; returns the exit status. */
    public synchronized int conclude(String whatHeld) {
        line("");
        if (findings.isEmpty() && notShown > 0) {
            line("NO VERDICT: nothing was broken, but too little was shown");
            return NO_VERDICT;
        }
        if (findings.isEmpty()) {
            line("GREEN: " + whatHeld);
            return GREEN;
        }
        findings.entrySet().stream()
                .limit(SHOWN_FINDINGS)
                .forEach(finding -> line("  " + finding.getKey()
                        + (finding.getValue() == 1 ? "" : " (" + finding.getValue() + " times)")));
        line("RED: " + findings.size() + " broken promises");
        return RED;
    }
}
