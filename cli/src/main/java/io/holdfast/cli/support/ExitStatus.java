package io.holdfast.cli.support;

/** What the command exits with. Scripts depend on the numbers; {@code docs/cli.md} lists them. */
public enum ExitStatus {
    DONE(0),
    /** Refused, not found, or another version. */
    REFUSED(1),
    USAGE(2),
    /** No cell, or one without a majority. */
    UNREACHABLE(3),
    /** The lock is another's, or time ran out. */
    NOT_ACQUIRED(4),
    /** A hold or lease is gone. */
    LOST(5);

    private final int number;

    ExitStatus(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
