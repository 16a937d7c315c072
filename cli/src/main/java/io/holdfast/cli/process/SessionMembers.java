package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the processes of a session, which is what {@code setsid} makes: the child's process group and any other group that
 * was made inside it, as shells with job control do.
 *
 * <p><b>Thread:</b> any; each call reads {@code /proc} anew. Where there is no {@code /proc} it finds nobody.
 */
final class SessionMembers {
    private static final Path PROC = Path.of("/proc");

    private SessionMembers() {}

    /** Whether this system can tell. */
    static boolean canBeListed() {
        return Files.isReadable(PROC.resolve("self").resolve("stat"));
    }

    /** All members that are not dead yet; a zombie is dead. */
    static List<ProcessHandle> living(long sessionId) {
        List<ProcessHandle> members = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                Stat stat = read(entry).orElse(null);
                if (stat != null && stat.session == sessionId && stat.alive) {
                    ProcessHandle.of(stat.pid).ifPresent(members::add);
                }
            }
        } catch (IOException noProc) {
            return List.of();
        }
        return members;
    }

    /** Whether the process has made its session; empty if it is gone or this system cannot tell. */
    static Optional<Boolean> leadsSession(long pid) {
        return read(PROC.resolve(Long.toString(pid))).map(stat -> stat.session == pid);
    }

    private record Stat(long pid, boolean alive, long session) {}

    /** {@code pid (name) state ppid pgrp session …}, where the name may hold blanks and parentheses. */
    private static Optional<Stat> read(Path entry) {
        try {
            String text = Files.readString(entry.resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", 5);
            boolean alive = !fields[0].equals("Z") && !fields[0].equals("X");
            return Optional.of(
                    new Stat(Long.parseLong(entry.getFileName().toString()), alive, Long.parseLong(fields[3])));
        } catch (IOException | RuntimeException gone) {
            return Optional.empty();
        }
    }
}
