package io.holdfast.cli.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts a program in front of a command that makes it the leader of a session, and so of a process group, of its own. It
 * replaces itself by the command: process id, standard streams and exit status are the command's.
 */
final class SessionLeader {
    private static final String PERL =
            "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV or exit($!{ENOENT} ? 127 : 126)";

    private SessionLeader() {}

    /** {@code setsid} of util-linux or BusyBox, else Perl, one of which every Unix has. */
    static List<String> command(List<String> command) throws IOException {
        List<String> line = new ArrayList<>();
        if (isOnPath("setsid")) {
            line.add("setsid");
        } else if (isOnPath("perl")) {
            line.addAll(List.of("perl", "-e", PERL, "--"));
        } else {
            throw new IOException("neither setsid (util-linux) nor perl is on the PATH; one of them is needed to run a"
                    + " command as a process group of its own");
        }
        line.addAll(command);
        return line;
    }

    static boolean isOnPath(String program) {
        return CommandPath.find(program, System.getenv("PATH"))
                .filter(CommandPath::isExecutable)
                .isPresent();
    }
}
