package io.holdfast.cli.support;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Standard output for results and standard error for everything else, both UTF-8 whatever the locale says.
 *
 * <p>A result that cannot be written ends the command: whoever asked for it must not take nothing, or a part, for all of it.
 *
 * <p><b>Thread:</b> any.
 */
public final class Console {
    /** Set by the launcher when standard output is a terminal; Java cannot tell on its own on every version. */
    private static final String TERMINAL_PROPERTY = "holdfast.stdoutIsTerminal";

    /** Of EPIPE; Java says it in no other way. In another language it is an error as any other. */
    private static final String BROKEN_PIPE = "Broken pipe";

    private static final int SIGPIPE_STATUS = 128 + 13;

    private final Remembering written;
    private final PrintStream out;
    private final PrintStream err;

    public Console(OutputStream out, OutputStream err) {
        this.written = new Remembering(out);
        this.out = new PrintStream(new BufferedOutputStream(written), false, StandardCharsets.UTF_8);
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

    /**
     * A line of the result.
     *
     * @throws CliException as {@link #requireWritten}
     */
    public void result(String line) {
        out.print(line + "\n");
        requireWritten();
    }

    /**
     * Raw bytes of the result.
     *
     * @throws CliException as {@link #requireWritten}
     */
    public void result(byte[] bytes) {
        out.write(bytes, 0, bytes.length);
        requireWritten();
    }

    /** A line for whoever starts a server, which serves on although nobody can read it. */
    public void announce(String line) {
        out.print(line + "\n");
        out.flush();
    }

    /**
     * Writes out what is buffered.
     *
     * @throws CliException if standard output failed, now or before; without a word if its reader has gone, as programs that
     *     SIGPIPE ends
     */
    public void requireWritten() {
        out.flush();
        IOException failed = written.failed;
        if (failed == null) {
            return;
        }
        String why = String.valueOf(failed.getMessage());
        throw why.contains(BROKEN_PIPE)
                ? CliException.silent(SIGPIPE_STATUS, "SIGNAL")
                : CliException.of(ExitStatus.REFUSED, "OUTPUT", "standard output cannot be written: " + why);
    }

    /**
     * Rows in aligned columns, the first row being the heading.
     *
     * @throws CliException as {@link #requireWritten}
     */
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
        requireWritten();
    }

    /** Everything that is no result. */
    public void note(String line) {
        err.println(line);
    }

    public PrintStream err() {
        return err;
    }

    /** Remembers failures as any other; {@link #requireWritten} tells of them. */
    public PrintStream out() {
        return out;
    }

    /** Keeps the first failure, which a {@link PrintStream} would only say that there was one. */
    private static final class Remembering extends OutputStream {
        private final OutputStream to;
        private volatile @Nullable IOException failed;

        Remembering(OutputStream to) {
            this.to = to;
        }

        @Override
        public void write(int oneByte) throws IOException {
            write(new byte[] {(byte) oneByte}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                to.write(bytes, from, length);
            } catch (IOException failure) {
                throw remembered(failure);
            }
        }

        @Override
        public void flush() throws IOException {
            try {
                to.flush();
            } catch (IOException failure) {
                throw remembered(failure);
            }
        }

        private IOException remembered(IOException failure) {
            if (failed == null) {
                failed = failure;
            }
            return failure;
        }
    }
}
