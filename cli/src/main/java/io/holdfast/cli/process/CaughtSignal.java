package io.holdfast.cli.process;

/**
 * A signal that reached this process.
 *
 * @param name without {@code SIG}
 * @param number of this system
 */
public record CaughtSignal(String name, int number) {
    /** The thread dump signal; the JVM keeps it to itself, see {@link QuitWatch}. */
    public static CaughtSignal quit() {
        return new CaughtSignal("QUIT", 3);
    }

    /** What a process that it ended exits with, as shells report it. */
    public int exitStatus() {
        return 128 + number;
    }
}
