package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.system.Holdfast.Result;
import io.holdfast.cli.system.Holdfast.Running;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code break}, {@code expire} and {@code completion} against a living cell (R3.6, C17, C24, C28). */
final class EndingCommandsIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    private static Holdfast holdfast;

    @BeforeAll
    static void startCell() {
        holdfast = DevProcess.cellIn(directory);
    }

    @AfterAll
    static void stopAll() {
        holdfast.close();
    }

    private static JsonNode holder(String lock) {
        Holdfast.await("held", () -> holdfast.run("locks", lock).out().contains("held"));
        return first(lock, "holders");
    }

    private static JsonNode first(String lock, String list) {
        try {
            JsonNode locks = JSON.readTree(
                            holdfast.run("locks", lock, "--output", "json").out())
                    .get("locks");
            return locks.get(0).get(list).get(0);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    /** The command ignores TERM: it is killed, and only then the next one begins. */
    @Test
    void aBrokenHoldEndsItsCommandBeforeTheNextOneBegins() throws IOException {
        Path pid = directory.resolve("pid");
        Running first = holdfast.start(
                "lock",
                "/broken",
                "--kill-after",
                "1s",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo $$ > " + pid + "; while :; do sleep 1; done");
        Holdfast.await("started", () -> Files.exists(pid) && !Holdfast.read(pid).isBlank());
        Running second = holdfast.start(
                "lock",
                "/broken",
                "--",
                "sh",
                "-c",
                "kill -0 $(cat " + pid + ") 2>/dev/null && echo both; echo $HOLDFAST_TOKEN");
        Holdfast.await("waiting", () -> holdfast.run("locks", "/broken").out().contains("waiting"));
        long token = first("/broken", "holders").get("token").asLong();

        Result broken = holdfast.run("break", "/broken");
        assertThat(broken.status()).as(broken.err()).isZero();
        assertThat(broken.out()).contains("with token " + token);
        Result lost = first.await();
        assertThat(lost.status()).isEqualTo(5);
        assertThat(lost.err()).contains("broken by an operator", "killed");
        Result next = second.await();
        assertThat(next.status()).isZero();
        assertThat(next.out()).doesNotContain("both");
        assertThat(Long.parseLong(next.out().strip())).isGreaterThan(token);
    }

    @Test
    void aWaiterIsBrokenByItsTokenAndAHoldByItsPlace() {
        Running first = holdfast.start("lock", "/queue", "--", "sleep", "600");
        JsonNode held = holder("/queue");
        Running second = holdfast.start("lock", "/queue", "--", "true");
        Holdfast.await("waiting", () -> holdfast.run("locks", "/queue").out().contains("waiting"));
        String waiting = first("/queue", "waiters").get("token").asText();
        assertThat(holdfast.run("break", "/queue", "--token", waiting).status()).isZero();
        assertThat(second.await().status()).isEqualTo(5);
        assertThat(first.requireRunning()).isTrue();

        assertThat(holdfast.run("break", "/queue", "--token", waiting).status()).isEqualTo(5); // it has gone
        Result json = holdfast.run("break", held.get("place").asText(), "--output", "json");
        assertThat(json.status()).as(json.err()).isZero();
        assertThat(json.out()).contains("\"token\":" + held.get("token").asText());
        assertThat(first.await().status()).isEqualTo(5);
        assertThat(holdfast.run("break", "/queue").status()).isEqualTo(1);
    }

    @Test
    void anExpiredSessionEndsItsCommand() {
        Running wrapper = holdfast.start("lock", "/expired", "--", "sleep", "600");
        String session = holder("/expired").get("session").asText();
        Result expired = holdfast.run("expire", session);
        assertThat(expired.status()).as(expired.err()).isZero();
        assertThat(expired.out()).startsWith("expired session " + session);
        Result lost = wrapper.await();
        assertThat(lost.status()).isEqualTo(5);
        assertThat(lost.err()).contains("expired by an operator");
        assertThat(holdfast.run("expire", session).status()).isEqualTo(1);
    }

    /** The cell has answered: that is another thing than a cell that nobody reaches (C119). */
    @Test
    void anExpiredSessionThatOnlyWaitsIsLost() {
        Running holder = holdfast.start("lock", "/waited", "--", "sleep", "600");
        holder("/waited");
        Running waiter = holdfast.start("lock", "/waited", "--", "true");
        Holdfast.await("waiting", () -> holdfast.run("locks", "/waited").out().contains("waiting"));
        String session = first("/waited", "waiters").get("session").asText();
        assertThat(holdfast.run("expire", session).status()).isZero();
        Result lost = waiter.await();
        assertThat(lost.status()).isEqualTo(5);
        assertThat(lost.err()).contains("expired by an operator");
        assertThat(holder.requireRunning()).isTrue();
    }

    /** The cell waits for a client that does not answer, says so, and ends it with its lease. */
    @Test
    void aFrozenClientIsWaitedForAsLongAsItsLease() throws InterruptedException {
        Running wrapper = holdfast.start("lock", "/frozen", "--lease", "20s", "--", "sleep", "600");
        JsonNode held = holder("/frozen");
        TimeUnit.SECONDS.sleep(1);
        wrapper.signal("STOP");
        String session = held.get("session").asText();
        Result waits = holdfast.run("break", "/frozen", "--call-timeout", "2s");
        assertThat(waits.status()).isEqualTo(4);
        assertThat(waits.err()).contains("waits for", "session " + session, "ask again");
        assertThat(holdfast.run("locks", "/frozen").out()).contains("held, ending");
        Result ended = holdfast.run("expire", session, "--call-timeout", "60s");
        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(ended.err()).contains("waiting for");
        assertThat(holdfast.run("locks", "/frozen").out()).doesNotContain("held");
        wrapper.signal("CONT");
        assertThat(wrapper.await().status()).isEqualTo(5);
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThat(holdfast.run("break", "/nobody").status()).isEqualTo(1);
        assertThat(holdfast.run("break", "/nobody").err()).contains("nobody holds /nobody");
        assertThat(holdfast.run("break", "/nobody", "--token", "7").status()).isEqualTo(5);
        assertThat(holdfast.run("break", "/nobody/x-00000000000000000007").status())
                .isEqualTo(1);
        assertThat(holdfast.run("break", "/nobody/x-00000000000000000007", "--token", "8")
                        .status())
                .isEqualTo(5);
        assertThat(holdfast.run("break", "/nobody/p-00000000000000000007", "--token", "8")
                        .status())
                .isEqualTo(5);
        assertThat(holdfast.run("break", "no-slash").status()).isEqualTo(1);
        assertThat(holdfast.run("expire", "999999999").status()).isEqualTo(1);
        assertThat(holdfast.run("expire", "0").status()).isEqualTo(2);
        assertThat(holdfast.run("expire", "seven").status()).isEqualTo(2);
        String nobody = "127.0.0.1:" + DevProcess.freePorts();
        assertThat(holdfast.run("expire", "7", "--endpoints", nobody, "--call-timeout", "1s")
                        .status())
                .isEqualTo(3);
        Result unreachable =
                holdfast.run("break", "/nobody/x-00000000000000000007", "--endpoints", nobody, "--call-timeout", "1s");
        assertThat(unreachable.status()).isEqualTo(3);
        assertThat(unreachable.err()).contains("not done");
    }

    @Test
    void completionIsAScriptThatBashReads() throws Exception {
        for (String shell : new String[] {"bash", "zsh"}) {
            Result script = holdfast.run("completion", shell);
            assertThat(script.status()).isZero();
            assertThat(script.out()).contains("_complete_holdfast", "check-token", "--lock-delay", "complete -F");
            Path file = Files.writeString(directory.resolve("completion-" + shell), script.out());
            Process bash = new ProcessBuilder("bash", "-n", file.toString())
                    .redirectErrorStream(true)
                    .start();
            assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(bash.exitValue()).isZero();
        }
        Path file = directory.resolve("completion-bash");
        Process asks = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + file + "; COMP_WORDS=(holdfast bre); COMP_CWORD=1; _complete_holdfast;"
                                + " echo \"${COMPREPLY[*]}\"")
                .start();
        assertThat(new String(asks.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("break");
        assertThat(holdfast.run("completion", "fish").status()).isEqualTo(2);
    }
}
