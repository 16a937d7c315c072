package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the processes of a session, which is what {@code setsid} makes: the child's process group and any other group that
 * was made inside it, as shells with job control do.
 *
 * <p><b>Thread:</b> any; each call reads {@code /proc} anew. Where that cannot be read the answer is empty, for unknown:
 * never that there is nobody.
 */
final class SessionMembers {
    private static final Path PROC = Path.of("/proc");

    private SessionMembers() {}

    /** All members that are not dead yet, a zombie being dead; empty if this cannot be told. */
    static Optional<List<ProcessHandle>> living(long sessionId) {
        return living(PROC, sessionId)
                .map(pids -> pids.stream()
                        .flatMap(pid -> ProcessHandle.of(pid).stream())
                        .toList());
    }

    static Optional<List<Long>> living(Path proc, long sessionId) {
        List<Long> members = new ArrayList<>();
        boolean sawAny = false;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path entry : entries) {
                Stat stat = read(entry).orElse(null);
                sawAny |= stat != null;
                if (stat != null && stat.session == sessionId && stat.alive) {
                    members.add(stat.pid);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            return Optional.empty();
        }
        // This process is among those that must be seen.
        return sawAny ? Optional.of(members) : Optional.empty();
    }

    /** Whether the process has made its session; empty if it is gone or this system cannot tell. */
    static Optional<Boolean> leadsSession(long pid) {
        try {
            return read(PROC.resolve(Long.toString(pid))).map(stat -> stat.session == pid);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private record Stat(long pid, boolean alive, long session) {}

    /**
     * {@code pid (name) state ppid pgrp session …}, where the name may hold blanks and parentheses. Empty if the process is
     * gone, or one of another user that this system hides.
     *
     * @throws IOException if it is there and cannot be read, for example for want of descriptors
     */
    private static Optional<Stat> read(Path entry) throws IOException {
        try {
            String text = Files.readString(entry.resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", 5);
            boolean alive = !fields[0].equals("Z") && !fields[0].equals("X");
            return Optional.of(
                    new Stat(Long.parseLong(entry.getFileName().toString()), alive, Long.parseLong(fields[3])));
        } catch (NoSuchFileException | AccessDeniedException goneOrHidden) {
            return Optional.empty();
        } catch (IOException | RuntimeException unreadable) {
            if (Files.notExists(entry)) {
                return Optional.empty(); // it ended while it was read
            }
            throw unreadable instanceof IOException known ? known : new IOException(unreadable);
        }
    }
}
