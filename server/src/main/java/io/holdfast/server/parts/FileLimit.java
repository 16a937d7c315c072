package io.holdfast.server.parts;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many files this process may have open, against what its clients need: each takes one.
 *
 * <p>The rule: what a server needs for itself ({@link #OWN_FILES}: its classes, its data, its ports, its peers) is hopeless to do without,
 * so a lower limit refuses the start. One that is too low for {@link #ASSUMED_CLIENTS} clients is said at the start, and no more clients
 * are let in than there are files for ({@link #clients()}): the server that runs out of files fails everybody.
 *
 * @param files that may be open; empty if the system does not say
 */
public record FileLimit(OptionalLong files) {
    /** What a server opens for itself, with room to spare. */
    public static final int OWN_FILES = 256;
    /** Clients that a server is expected to have. */
    public static final int ASSUMED_CLIENTS = 2_000;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LINE = "Max open files";

    /** Of this process. */
    public static FileLimit ofProcess() {
        try {
            return new FileLimit(parse(Files.readAllLines(LIMITS)));
        } catch (IOException notThere) {
            return new FileLimit(
                    ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                                    && unix.getMaxFileDescriptorCount() > 0
                            ? OptionalLong.of(unix.getMaxFileDescriptorCount())
                            : OptionalLong.empty());
        }
    }

    /** The soft limit, from lines as Linux writes them; {@code unlimited} is none. */
    static OptionalLong parse(List<String> lines) {
        for (String line : lines) {
            if (line.startsWith(LINE)) {
                String soft = line.substring(LINE.length()).strip().split("\\s+", 2)[0];
                return soft.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(soft)) : OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Checks it at the start.
     *
     * @return what an operator should know, in one line
     * @throws StartFailedException if a start is hopeless
     */
    public Optional<String> check() {
        int wanted = OWN_FILES + ASSUMED_CLIENTS;
        if (files.isEmpty() || files.getAsLong() >= wanted) {
            return Optional.empty();
        }
        long limit = files.getAsLong();
        String raise = "raise it (ulimit -n; LimitNOFILE= in a systemd unit)";
        if (limit < OWN_FILES) {
            throw new StartFailedException("open files: this process may have " + limit + ", but needs " + OWN_FILES
                    + " for itself and one for each client; " + raise);
        }
        return Optional.of("open files: this process may have " + limit + ", which is enough for " + clients()
                + " clients; for " + ASSUMED_CLIENTS + " it needs " + wanted + ": " + raise);
    }

    /** How many clients there are files for. */
    public int clients() {
        return files.isEmpty()
                ? Integer.MAX_VALUE
                : (int) Math.max(1, Math.min(Integer.MAX_VALUE, files.getAsLong() - OWN_FILES));
    }
}
