package io.holdfast.cli.support;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Standard output for results and standard error for everything else, both UTF-8 whatever the locale says.
 *
 * <p><b>Thread:</b> any.
 */
public final class Console {
    /** Set by the launcher when standard output is a terminal; Java cannot tell on its own on every version. */
    private static final String TERMINAL_PROPERTY = "holdfast.stdoutIsTerminal";

    private final PrintStream out;
    private final PrintStream err;

    public Console(OutputStream out, OutputStream err) {
        this.out = new PrintStream(new BufferedOutputStream(out), false, StandardCharsets.UTF_8);
        this.err = new PrintStream(err, true, StandardCharsets.UTF_8);
    }

    /** The standard streams of this process, as they were when it started. */
    public static Console standard() {
        return new Console(new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err));
    }

    /** Whether people read standard output directly. */
    public static boolean isTerminal() {
        return Boolean.getBoolean(TERMINAL_PROPERTY);
    }

    /** A line of the result. */
    public void result(String line) {
        out.print(line + "\n");
        out.flush();
    }

    /** Raw bytes of the result. */
    public void result(byte[] bytes) {
        out.write(bytes, 0, bytes.length);
        out.flush();
    }

    /** Rows in aligned columns, the first row being the heading. */
    public void table(List<List<String>> rows) {
        List<Integer> widths = new ArrayList<>();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                int width = row.get(column).length();
                if (column == widths.size()) {
                    widths.add(width);
                } else {
                    widths.set(column, Math.max(widths.get(column), width));
                }
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                text.append(cell);
                if (column < row.size() - 1) {
                    text.append(" ".repeat(widths.get(column) - cell.length() + 2));
                }
            }
            text.append('\n');
        }
        out.print(text);
        out.flush();
    }

    /** Everything that is no result. */
    public void note(String line) {
        err.println(line);
    }

    public PrintStream err() {
        return err;
    }

    public PrintStream out() {
        return out;
    }
}
