package io.holdfast.cli.support;

import org.jspecify.annotations.Nullable;

/** A command ends without success; the message is one line for people, the code one word for scripts. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What is known about a change that was asked for. */
    public enum Fate {
        /** Nothing was to be changed, or it goes without saying. */
        UNSAID(""),
        NOT_DONE("not done"),
        UNKNOWN("unknown: it may have been done");

        private final String words;

        Fate(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    private final int exitStatus;
    private final String code;
    private final Fate fate;

    private CliException(int exitStatus, String code, Fate fate, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitStatus = exitStatus;
        this.code = code;
        this.fate = fate;
    }

    public static CliException of(ExitStatus status, String code, String message) {
        return new CliException(status.number(), code, Fate.UNSAID, message, null);
    }

    public static CliException of(ExitStatus status, String code, Fate fate, String message, Throwable cause) {
        return new CliException(status.number(), code, fate, message, cause);
    }

    /** The same end with other words. */
    public static CliException of(CliException same, String message) {
        return new CliException(same.exitStatus, same.code, same.fate, message, same);
    }

    /** Something in the command line is wrong. */
    public static CliException usage(String message) {
        return of(ExitStatus.USAGE, "USAGE", message);
    }

    /** The value of an argument was refused before it was sent; the cell would say the same. */
    public static CliException refused(String code, String message) {
        return new CliException(ExitStatus.REFUSED.number(), code, Fate.NOT_DONE, message, null);
    }

    /** Ends with a status outside the table: a child's, or 128 + signal. */
    public static CliException withStatus(int exitStatus, String code, String message) {
        return new CliException(exitStatus, code, Fate.UNSAID, message, null);
    }

    /** Ends with a status outside the table, without a word. */
    public static CliException silent(int exitStatus, String code) {
        return withStatus(exitStatus, code, "");
    }

    /** Nothing is to be said. */
    public boolean isSilent() {
        return String.valueOf(getMessage()).isEmpty();
    }

    public int exitStatus() {
        return exitStatus;
    }

    public String code() {
        return code;
    }

    public Fate fate() {
        return fate;
    }
}
