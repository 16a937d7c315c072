package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.system.Holdfast.Result;
import io.holdfast.cli.system.Holdfast.Running;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Campaigning and asking from the command line: who leads, with what, and how it ends (C109, C111). */
final class ElectCommandIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    private static Holdfast holdfast;
    private static DevProcess dev;

    @BeforeAll
    static void startCell() {
        int port = DevProcess.freePorts();
        holdfast = new Holdfast(directory, "127.0.0.1:" + port);
        dev = new DevProcess(holdfast, directory.resolve("data"), port).start();
    }

    @AfterAll
    static void stopAll() {
        holdfast.close();
    }

    @Test
    void theNextLeadsWhenTheCommandOfTheFirstHasEnded() throws IOException {
        Result nobody = holdfast.run("leader", "/e");
        assertThat(nobody.status()).isEqualTo(1);
        assertThat(nobody.out()).isEmpty();
        assertThat(nobody.err()).contains("nobody leads /e");
        assertThat(JSON.readTree(
                                holdfast.run("leader", "/e", "--output", "json").out())
                        .get("leader")
                        .isNull())
                .isTrue();

        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        Running a = holdfast.start(
                "elect",
                "/e",
                "--value",
                "10.0.0.7:9000",
                "--",
                "sh",
                "-c",
                "echo $HOLDFAST_LOCK $HOLDFAST_TOKEN > " + first + "; exec sleep 600");
        Holdfast.await("the first leads", () -> Holdfast.read(first).endsWith("\n"));
        assertThat(holdfast.run("leader", "/e").out()).isEqualTo("10.0.0.7:9000\n");
        JsonNode leader =
                JSON.readTree(holdfast.run("leader", "/e", "--output", "json").out());
        assertThat("/e " + leader.get("token").asLong() + "\n").isEqualTo(Holdfast.read(first));
        assertThat(leader.get("leader").asText()).isEqualTo("10.0.0.7:9000");
        Result refused = holdfast.run("elect", "/e", "--value", "b", "--try", "--", "true");
        assertThat(refused.status()).isEqualTo(4);

        Running b = holdfast.start("elect", "/e", "--value", "b", "--", "sh", "-c", "echo up > " + second + "; exit 7");
        Holdfast.await(
                "the second waits", () -> holdfast.run("locks", "/e").out().contains("waiting"));
        assertThat(Holdfast.read(second)).isEmpty();
        a.signal("TERM");
        assertThat(a.await().status()).isEqualTo(143);
        assertThat(b.await().status()).isEqualTo(7);
        assertThat(Holdfast.read(second)).isEqualTo("up\n");
        assertThat(holdfast.run("leader", "/e").status()).isEqualTo(1);
    }

    @Test
    void withoutACommandItLeadsUntilASignal() {
        Running lead = holdfast.start("elect", "/open", "--value", "me", "--lease", "5s");
        Holdfast.await("input was at its end", () -> !lead.process().isAlive());
        assertThat(lead.await().status()).isZero();
        assertThat(lead.stdout()).matches("[0-9]+\n");
    }

    @Test
    void inJsonTheSessionIsANumberAsInEveryList() throws IOException {
        for (Running open : new Running[] {
            holdfast.start("elect", "/json", "--value", "me", "--output", "json"),
            holdfast.start("lock", "/json-lock", "--output", "json")
        }) {
            assertThat(open.await().status()).isZero();
            JsonNode printed = JSON.readTree(open.stdout());
            assertThat(printed.get("session").isIntegralNumber()).isTrue();
            assertThat(printed.get("token").isIntegralNumber()).isTrue();
        }
    }

    /** C111: no candidate is left behind. */
    @Test
    void aSignalEndsTheWaitingAndNothingIsStarted() {
        Path never = directory.resolve("never");
        Running leader = holdfast.start("elect", "/w", "--value", "a", "--", "sleep", "600");
        Holdfast.await("it leads", () -> holdfast.run("leader", "/w").status() == 0);
        Running waiting = holdfast.start("elect", "/w", "--value", "b", "--", "touch", never.toString());
        Holdfast.await(
                "the second waits", () -> holdfast.run("locks", "/w").out().contains("waiting"));
        waiting.signal("INT");
        Result ended = waiting.await();
        assertThat(ended.status()).isEqualTo(130);
        assertThat(ended.err()).contains("before the lead of /w was held");
        assertThat(never).doesNotExist();
        Holdfast.await(
                "its place is gone", () -> !holdfast.run("locks", "/w").out().contains("waiting"));
        leader.signal("TERM");
        assertThat(leader.await().status()).isEqualTo(143);
    }

    @Test
    void badInputIsRefusedWithItsReason() {
        assertThat(holdfast.run("elect", "/e2", "--", "true").status()).isEqualTo(2);
        assertThat(holdfast.run("elect", "/e2", "--value", "x", "--lease", "3s", "--", "true")
                        .status())
                .isEqualTo(2);
        Result path = holdfast.run("elect", "e2", "--value", "x", "--", "true");
        assertThat(path.status()).isEqualTo(1);
        assertThat(path.err()).contains("must start with '/'");
        Result large = holdfast.run("elect", "/e2", "--value", "x".repeat(65_537), "--", "true");
        assertThat(large.status()).isEqualTo(1);
        assertThat(large.err()).contains("65536");
        assertThat(holdfast.run("leader", "e2").status()).isEqualTo(1);
        assertThat(holdfast.run("leader").status()).isEqualTo(2);
    }
}
