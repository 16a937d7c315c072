package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be told of a session, and what cannot. */
final class SessionMembersTest {
    @TempDir
    Path proc;

    private void process(long pid, String stat) throws IOException {
        Path entry = Files.createDirectory(proc.resolve(Long.toString(pid)));
        if (!stat.isEmpty()) {
            Files.writeString(entry.resolve("stat"), pid + " (a) b) " + stat);
        }
    }

    @Test
    void membersAreThoseOfTheSessionThatAreNotDead() throws IOException {
        process(10, "S 1 10 10 0");
        process(11, "R 10 11 10 0");
        process(12, "Z 10 10 10 0");
        process(13, "S 1 13 13 0");
        process(14, ""); // gone meanwhile
        assertThat(SessionMembers.living(proc, 10))
                .hasValueSatisfying(pids -> assertThat(pids).containsExactlyInAnyOrder(10L, 11L));
        assertThat(SessionMembers.living(proc, 99))
                .hasValueSatisfying(pids -> assertThat(pids).isEmpty());
    }

    @Test
    void whatCannotBeReadIsNotNobody() throws IOException {
        assertThat(SessionMembers.living(proc.resolve("missing"), 10)).isEmpty();
        assertThat(SessionMembers.living(proc, 10)).as("no process at all").isEmpty();
        process(13, "S 1 13 13 0");
        process(15, "?");
        assertThat(SessionMembers.living(proc, 10))
                .as("one that may belong to it")
                .isEmpty();
    }
}
